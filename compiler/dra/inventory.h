#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/dra/objects.h"

namespace gpulint::dra {

/// Which device classes there are.
enum class Classes : std::uint8_t {
  some,  ///< Others may exist.
  all
};

/// All devices and classes of a cluster.
class Inventory {
 public:
  Inventory(std::vector<Slice> slices, std::vector<DeviceClass> classes,
            Classes given = Classes::some);

  [[nodiscard]] std::span<const Slice> slices() const { return slices_; }
  [[nodiscard]] bool has_all_classes() const { return given_ == Classes::all; }
  [[nodiscard]] const DeviceClass* find_class(std::string_view name) const;

  /// The slices that may be for a node of that name, and those of a driver's pool.
  [[nodiscard]] std::vector<const Slice*> slices_for(std::string_view node) const;
  [[nodiscard]] std::vector<const Slice*> slices_of(const std::string& driver,
                                                    const std::string& pool) const;

 private:
  std::vector<Slice> slices_;
  std::vector<DeviceClass> classes_;
  Classes given_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_node_;
  std::vector<std::size_t> of_several_;  ///< Those that name no node.
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_pool_;
};

}  // namespace gpulint::dra

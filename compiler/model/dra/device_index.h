#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/cel/selector.h"
#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// Groups of devices by the values of attributes: many selectors of many devices do not cost their
/// product. The devices must outlive it.
class DeviceIndex {
 public:
  struct Group {
    std::vector<const Device*> devices;
    bool is_open = false;  ///< It may have others.
  };
  using Positions = std::vector<std::size_t>;

  explicit DeviceIndex(std::vector<Group> groups) : groups_(std::move(groups)) {}

  /// The groups that may have a device that meets the demands of one selector or request, in
  /// order. On the devices of all others its expression is false, and does not fail.
  [[nodiscard]] Positions find(std::span<const cel::Selector::Demand> demands) const;

 private:
  struct Attribute {
    std::map<std::string, Positions> by_value;
    Positions others;  ///< With a device that has no value of the type, or may have any.
  };
  [[nodiscard]] const Attribute& index_of(const cel::Selector::Demand& demand) const;

  std::vector<Group> groups_;
  mutable std::mutex mutex_;
  /// By domain, name and the type of the value, where somebody has asked.
  mutable std::map<std::tuple<std::string, std::string, std::size_t>, Attribute> attributes_;
};

}  // namespace gpulint::dra

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// Whether all device classes are known.
enum class Classes : std::uint8_t {
  some,  ///< There may be others.
  all
};

/// The objects of an inventory.
struct Stock {
  std::vector<Slice> slices;
  std::vector<DeviceClass> classes;
  std::vector<TaintRule> taint_rules;
  std::vector<Holding> holdings;
  Classes given = Classes::some;
};

/// All devices and classes of a cluster. Devices have the taints that rules add to them.
class Inventory {
 public:
  explicit Inventory(Stock stock);

  [[nodiscard]] std::span<const Slice> slices() const { return stock_.slices; }
  [[nodiscard]] bool has_all_classes() const { return stock_.given == Classes::all; }
  [[nodiscard]] const DeviceClass* find_class(std::string_view name) const;

  /// The class whose devices serve an extended resource.
  struct Backing {
    const DeviceClass* device_class = nullptr;  ///< Null: none is known.
    bool is_open = false;                       ///< The class, or whether there is one, is unknown.
  };
  /// Facts: k8s.io/dynamic-resource-allocation v0.37 (extendedresourcecache.go).
  [[nodiscard]] Backing find_backing(std::string_view resource) const;

  /// The slices that may be for the node with this name, and those of a driver's pool.
  [[nodiscard]] std::vector<const Slice*> slices_for(std::string_view node) const;
  [[nodiscard]] std::vector<const Slice*> slices_of(const std::string& driver,
                                                    const std::string& pool) const;
  /// The parts of a device that claims already have.
  [[nodiscard]] std::span<const Holding* const> holdings_of(const Slice& slice,
                                                            const Device& device) const;
  [[nodiscard]] std::span<const Holding> holdings() const { return stock_.holdings; }
  /// Whether a pod (`namespace/name`) has a claim with allocated devices.
  [[nodiscard]] bool is_holder(std::string_view pod) const { return holders_.contains(pod); }

 private:
  using Indices = std::vector<std::size_t>;
  using DeviceKey = std::pair<std::pair<std::string, std::string>, std::string>;

  Stock stock_;
  std::map<std::string, Indices, std::less<>> by_node_;
  Indices of_several_;  ///< Slices without a node name.
  std::map<std::pair<std::string, std::string>, Indices> by_pool_;
  std::map<DeviceKey, std::vector<const Holding*>> held_;
  std::set<std::string_view> holders_;
};

/// Whether all selectors of a class select a device.
[[nodiscard]] cel::Verdict select_by_class(const DeviceClass& device_class, const Device& device);

}  // namespace gpulint::dra

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/dra/allocate.h"
#include "compiler/model/dra/device_index.h"

namespace gpulint::dra {

/// The most devices for a review; with more devices there is no result.
inline constexpr std::size_t most_reviewed = 2'000;

/// How one selector of a request applies to the devices that its class selects, on all nodes.
struct SelectorReview {
  std::size_t devices = 0;    ///< All of these devices.
  std::size_t satisfied = 0;  ///< Devices that it selects.
  std::size_t failing = 0;    ///< Devices on which it fails.
  bool is_open = false;       ///< Something that decides is unknown.
  /// The device for which most terms hold: among those not selected, or, if some are selected,
  /// among those on which it fails.
  const Device* nearest = nullptr;
  std::string term;  ///< The first that does not hold for it.
  cel::Match match;  ///< The value of that term: no, or an error.
};

/// Reviews the selectors of an inventory, which must outlive it.
class Reviewer {
 public:
  explicit Reviewer(const Inventory& inventory) : inventory_(&inventory) {}

  [[nodiscard]] SelectorReview review(const Wanted& wanted, const cel::Selector& selector);
  /// The same for a class' selector and all devices.
  [[nodiscard]] SelectorReview review_all(const cel::Selector& selector);

 private:
  /// The devices that selectors are compared with.
  struct Devices {
    std::vector<const Device*> all;
    std::optional<DeviceIndex> index;  ///< nullopt: there may be others, or there are too many.
  };

  /// `choose`: whether a device is among them.
  template <class Choose>
  void gather(const Choose& choose, Devices& devices) const;
  [[nodiscard]] static SelectorReview review(const Devices& devices, const cel::Selector& selector);

  const Inventory* inventory_;
  std::map<std::string, Devices, std::less<>> by_class_;
  std::optional<Devices> all_;
};

/// An attribute or capacity that a selector names and the device lacks, with the nearest one.
struct WrongName {
  cel::Selector::Use use;
  std::string suggestion;  ///< As an expression: `device.capacity["…"].memory`; empty: none.
};
[[nodiscard]] std::optional<WrongName> find_wrong_name(const cel::Selector& selector,
                                                       const Device& device);

}  // namespace gpulint::dra

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

/// Devices that a review looks at; where there are more it says nothing.
inline constexpr std::size_t most_reviewed = 2'000;

/// What one selector of a request makes of the devices that its class selects, wherever they are.
struct SelectorReview {
  std::size_t devices = 0;    ///< How many there are.
  std::size_t satisfied = 0;  ///< How many it selects.
  std::size_t failing = 0;    ///< On how many it fails.
  bool is_open = false;       ///< Something that decides is not known.
  /// Of those that it does not select, or, where it selects some, of those that it fails on: the
  /// device for which most terms hold.
  const Device* nearest = nullptr;
  std::string term;  ///< The first that does not hold for it.
  cel::Match match;  ///< What that comes to: no, or an error.
};

/// Reviews the selectors of an inventory, which must outlive it.
class Reviewer {
 public:
  explicit Reviewer(const Inventory& inventory) : inventory_(&inventory) {}

  [[nodiscard]] SelectorReview review(const Wanted& wanted, const cel::Selector& selector);
  /// The same of a class' selector and all devices there are.
  [[nodiscard]] SelectorReview review_all(const cel::Selector& selector);

 private:
  /// What selectors are held against.
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

/// An attribute or capacity that a selector names and the device lacks, with what comes nearest.
struct WrongName {
  cel::Selector::Use use;
  std::string suggestion;  ///< As an expression: `device.capacity["…"].memory`; empty: none.
};
[[nodiscard]] std::optional<WrongName> find_wrong_name(const cel::Selector& selector,
                                                       const Device& device);

}  // namespace gpulint::dra

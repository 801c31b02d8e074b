#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/dra/allocate.h"

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
[[nodiscard]] SelectorReview review(const Inventory& inventory, const Wanted& wanted,
                                    const cel::Selector& selector);

/// The same for a class' selector and all devices.
[[nodiscard]] SelectorReview review_all(const Inventory& inventory, const cel::Selector& selector);

/// An attribute or capacity that a selector names and the device lacks, with the nearest one.
struct WrongName {
  cel::Selector::Use use;
  std::string suggestion;  ///< As an expression: `device.capacity["…"].memory`; empty: none.
};
[[nodiscard]] std::optional<WrongName> find_wrong_name(const cel::Selector& selector,
                                                       const Device& device);

}  // namespace gpulint::dra

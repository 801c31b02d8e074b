#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/dra/allocate.h"

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
[[nodiscard]] SelectorReview review(const Inventory& inventory, const Wanted& wanted,
                                    const cel::Selector& selector);

/// The same of a class' selector and all devices there are.
[[nodiscard]] SelectorReview review_all(const Inventory& inventory, const cel::Selector& selector);

/// An attribute or capacity that a selector names and the device lacks, with what comes nearest.
struct WrongName {
  cel::Selector::Use use;
  std::string suggestion;  ///< As an expression: `device.capacity["…"].memory`; empty: none.
};
[[nodiscard]] std::optional<WrongName> find_wrong_name(const cel::Selector& selector,
                                                       const Device& device);

}  // namespace gpulint::dra

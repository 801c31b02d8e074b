#pragma once

#include "compiler/dra/review.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules::device_selector {

/// A request's selector that takes none of its class' devices, or fails on some; `review` has a
/// nearest one.
void report_unmatched(Reporter& reporter, const dra::Wanted& wanted,
                      const dra::DeviceSelector& selector, const dra::SelectorReview& review);

/// The selector of a class that takes no device, and fails on some: on those that it is for.
void check_takes_any(Reporter& reporter, const dra::Inventory& inventory,
                     const dra::DeviceClass& device_class, const dra::DeviceSelector& selector);

}  // namespace gpulint::rules::device_selector

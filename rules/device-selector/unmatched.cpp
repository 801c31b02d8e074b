#include "rules/device-selector/unmatched.h"

#include <string>

#include <fmt/format.h>

namespace gpulint::rules::device_selector {
namespace {

/// Which of the class's devices the selector does not take, and how.
[[nodiscard]] std::string count_of(const dra::Wanted& wanted, const dra::SelectorReview& review) {
  if (review.satisfied == 0) {
    return fmt::format("none of the {} devices of class `{}` satisfies this selector",
                       review.devices, wanted.device_class);
  }
  return fmt::format("this selector fails on {} of the {} devices of class `{}`", review.failing,
                     review.devices, wanted.device_class);
}

/// What the device has in place of a name that it lacks; empty where it lacks none.
[[nodiscard]] std::string explain_name(const dra::DeviceSelector& selector,
                                       const dra::Device& device, bool is_some_satisfied) {
  const auto wrong = dra::find_wrong_name(*selector.cel, device);
  if (!wrong) return {};
  const std::string named =
      fmt::format("device.{}[\"{}\"].{}", wrong->use.is_capacity ? "capacity" : "attributes",
                  wrong->use.domain, wrong->use.name);
  if (!wrong->suggestion.empty()) {
    return fmt::format("the device has no `{}`, but `{}`", named, wrong->suggestion);
  }
  if (!is_some_satisfied) return fmt::format("the device has no `{}`", named);
  return fmt::format("the pod's scheduling ends where such a device is met; ask `has({})` first",
                     named);
}

}  // namespace

void report_unmatched(Reporter& reporter, const dra::Wanted& wanted,
                      const dra::DeviceSelector& selector, const dra::SelectorReview& review) {
  const dra::Device& nearest = *review.nearest;
  const bool fails = review.match.verdict == cel::Verdict::error;
  const std::string name = explain_name(selector, nearest, review.satisfied > 0);
  reporter
      .report(selector.expression, "{}: `{}` {} for `{}`", count_of(wanted, review), review.term,
              fails ? "fails" : "does not hold", nearest.name)
      .severity(Severity::warning)
      .related(nearest.node.get("name"),
               fails ? review.match.text : "the device that comes nearest")
      .help("{}", name.empty() ? "the ResourceSlices at hand have no such device" : name);
}

void check_takes_any(Reporter& reporter, const dra::Inventory& inventory,
                     const dra::DeviceClass& device_class, const dra::DeviceSelector& selector) {
  const dra::SelectorReview review = dra::review_all(inventory, *selector.cel);
  if (review.is_open || review.satisfied > 0 || review.failing == 0) return;
  if (review.nearest == nullptr || review.match.verdict != cel::Verdict::error) return;
  const dra::Device& nearest = *review.nearest;
  const std::string name = explain_name(selector, nearest, false);
  reporter
      .report(selector.expression,
              "DeviceClass `{}` takes none of the {} devices there are: `{}` fails for `{}`",
              device_class.name, review.devices, review.term, nearest.name)
      .severity(Severity::warning)
      .related(nearest.node.get("name"), review.match.text)
      .help("{}; the scheduling of a pod that claims from the class ends there",
            name.empty() ? "the expression must hold for such a device" : name);
}

}  // namespace gpulint::rules::device_selector

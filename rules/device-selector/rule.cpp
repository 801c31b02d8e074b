#include "compiler/engine/rule.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "compiler/dra/review.h"
#include "compiler/engine/reporter.h"
#include "compiler/schedule/pod_claims.h"
#include "rules/device-selector/invalid_selector.h"
#include "rules/device-selector/mig_profiles.h"

namespace gpulint::rules::device_selector {
namespace {

[[nodiscard]] bool is_of_dra(const KubernetesObject& object) {
  return object.api_version.value_or("").starts_with("resource.k8s.io/");
}

[[nodiscard]] bool is_claim(const KubernetesObject& object) {
  return is_of_dra(object) &&
         (object.kind.equals("ResourceClaim") || object.kind.equals("ResourceClaimTemplate"));
}

/// Which of the class's devices the selector does not take, and how.
[[nodiscard]] std::string count_of(const dra::Wanted& wanted, const dra::SelectorReview& review) {
  if (review.satisfied == 0) {
    return fmt::format("none of the {} devices of class `{}` satisfies this selector",
                       review.devices, wanted.device_class);
  }
  return fmt::format("this selector fails on {} of the {} devices of class `{}`", review.failing,
                     review.devices, wanted.device_class);
}

void report_unmatched(Reporter& reporter, const dra::Wanted& wanted,
                      const dra::DeviceSelector& selector, const dra::SelectorReview& review) {
  const dra::Device& nearest = *review.nearest;
  const bool fails = review.match.verdict == cel::Verdict::error;
  Finding finding =
      reporter.report(selector.expression, "{}: `{}` {} for `{}`", count_of(wanted, review),
                      review.term, fails ? "fails" : "does not hold", nearest.name);
  finding.severity(Severity::warning)
      .related(nearest.node.get("name"),
               fails ? review.match.text : "the device that comes nearest");
  const auto wrong = dra::find_wrong_name(*selector.cel, nearest);
  const std::string named = wrong ? fmt::format("device.{}[\"{}\"].{}",
                                                wrong->use.is_capacity ? "capacity" : "attributes",
                                                wrong->use.domain, wrong->use.name)
                                  : std::string();
  if (!wrong) {
    finding.help("the ResourceSlices at hand have no such device");
  } else if (!wrong->suggestion.empty()) {
    finding.help("the device has no `{}`, but `{}`", named, wrong->suggestion);
  } else if (review.satisfied == 0) {
    finding.help("the device has no `{}`", named);
  } else {
    finding.help("the pod's scheduling ends where such a device is met; ask `has({})` first",
                 named);
  }
}

void check_request(Reporter& reporter, const dra::Inventory& inventory, const dra::Wanted& wanted) {
  for (const dra::DeviceSelector& selector : wanted.selectors) {
    if (selector.cel->understood() == cel::Understood::invalid) {
      report_invalid(reporter, selector);
      continue;
    }
    if (report_mig_profile(reporter, selector) || inventory.slices().empty()) continue;
    const dra::SelectorReview review = dra::review(inventory, wanted, *selector.cel);
    const bool is_unmatched = !review.is_open && review.nearest != nullptr;
    if (is_unmatched) report_unmatched(reporter, wanted, selector, review);
  }
}

void check_class(Reporter& reporter, const dra::DeviceClass& device_class) {
  for (const dra::DeviceSelector& selector : device_class.selectors) {
    if (selector.cel->understood() == cel::Understood::invalid) {
      report_invalid(reporter, selector);
    } else {
      static_cast<void>(report_mig_profile(reporter, selector));
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::shared_ptr<const dra::Inventory> inventory;
  for (const KubernetesObject& object : corpus.objects) {
    if (is_of_dra(object) && object.kind.equals("DeviceClass")) {
      check_class(reporter, dra::read_device_class(object.node));
    }
    if (!is_claim(object)) continue;
    if (inventory == nullptr) inventory = read_inventory(corpus.objects);
    for (const dra::Request& request : dra::read_claim(object.node).requests) {
      for (const dra::Wanted& wanted : request.alternatives) {
        check_request(reporter, *inventory, wanted);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "device-selector",
             .category = "operators",
             .summary = "A device selector that the API server refuses, or that no known device "
                        "satisfies.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::device_selector

#include "compiler/engine/rule.h"

#include <memory>

#include "compiler/dra/review.h"
#include "compiler/engine/reporter.h"
#include "compiler/schedule/pod_claims.h"
#include "rules/device-selector/invalid_selector.h"
#include "rules/device-selector/mig_profiles.h"
#include "rules/device-selector/unmatched.h"

namespace gpulint::rules::device_selector {
namespace {

[[nodiscard]] bool is_of_dra(const KubernetesObject& object) {
  return object.api_version.value_or("").starts_with("resource.k8s.io/");
}

[[nodiscard]] bool is_claim(const KubernetesObject& object) {
  return is_of_dra(object) &&
         (object.kind.equals("ResourceClaim") || object.kind.equals("ResourceClaimTemplate"));
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

void check_class(Reporter& reporter, const dra::Inventory& inventory,
                 const dra::DeviceClass& device_class) {
  for (const dra::DeviceSelector& selector : device_class.selectors) {
    if (selector.cel->understood() == cel::Understood::invalid) {
      report_invalid(reporter, selector);
    } else if (!report_mig_profile(reporter, selector) && !device_class.is_open) {
      check_takes_any(reporter, inventory, device_class, selector);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::shared_ptr<const dra::Inventory> inventory;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_class = is_of_dra(object) && object.kind.equals("DeviceClass");
    if (!is_class && !is_claim(object)) continue;
    if (inventory == nullptr) inventory = read_inventory(corpus.objects);
    if (is_class) {
      check_class(reporter, *inventory, dra::read_device_class(object.node));
      continue;
    }
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

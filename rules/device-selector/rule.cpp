#include "compiler/engine/rule.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/dra/objects.h"
#include "compiler/model/dra/review.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/schedule/pod_claims.h"

namespace gpulint::rules::device_selector {
namespace {

/// Whether the types have methods instead of `<` and `>=`.
[[nodiscard]] bool is_compared_by_methods(std::string_view complaint) {
  return complaint.find(" does not accept ") != complaint.npos &&
         (complaint.find("semver") != complaint.npos ||
          complaint.find("quantity") != complaint.npos);
}

/// At most `size` bytes of the text, without cutting a character.
[[nodiscard]] std::string shortened(std::string text, std::size_t size) {
  if (text.size() <= size) return text;
  while ((static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + "…";
}

/// Reports a selector that the API server rejects, with the reason.
void report_invalid(Reporter& reporter, const dra::DeviceSelector& written) {
  const cel::Selector& selector = *written.cel;
  constexpr std::size_t shown = 60;
  const std::string rest = shortened(selector.text().substr(selector.complaint().at), shown);
  Finding finding =
      reporter.report(written.expression, "invalid device selector: {}", selector.complaint().text);
  if (rest.empty()) {
    finding.help(
        "complete the expression, which ends too early; otherwise the API server rejects it");
  } else if (is_compared_by_methods(selector.complaint().text)) {
    finding.help(
        "compare versions and quantities with `a.isGreaterThan(b)`, `a.isLessThan(b)` or "
        "`a.compareTo(b) >= 0`; otherwise the API server rejects the expression");
  } else {
    finding.help("correct `{}`; otherwise the API server rejects the expression", rest);
  }
}

/// Whether a GPU has the profile, or the GPU instance of this compute instance.
[[nodiscard]] bool is_published(std::string_view profile) {
  const auto read = parse_mig_profile(profile);
  return read && is_known_profile(read->instance_name());
}

/// Reports a MIG profile that no GPU has, so NVIDIA's driver never publishes it. False if the
/// selector names no such profile.
[[nodiscard]] bool report_mig_profile(Reporter& reporter, const dra::DeviceSelector& selector) {
  for (const auto& [use, text, begin] : selector.cel->comparisons()) {
    const bool is_profile =
        !use.is_capacity && use.domain == "gpu.nvidia.com" && use.name == "profile";
    if (!is_profile || is_published(text)) continue;
    Finding finding = reporter.report(
        selector.expression, "no GPU has the MIG profile `{}`, which this selector requires", text);
    const auto meant = suggest_mig_profile(text);
    if (meant && is_published(*meant)) {
      finding.help("did you mean `{}`?", *meant);
    } else {
      finding.help("run `gpulint rule unknown-mig-profile` to see where the profiles come from");
    }
    return true;
  }
  return false;
}

/// How many devices of the class the selector does not match.
[[nodiscard]] std::string count_of(const dra::Wanted& wanted, const dra::SelectorReview& review) {
  if (review.satisfied == 0) {
    if (review.devices == 1) {
      return fmt::format("this selector does not match the only device of class `{}`",
                         wanted.device_class);
    }
    return fmt::format("this selector matches none of the {} devices of class `{}`", review.devices,
                       wanted.device_class);
  }
  return fmt::format("this selector raises an error on {} of the {} devices of class `{}`",
                     review.failing, review.devices, wanted.device_class);
}

/// The name that a device lacks, as an expression.
[[nodiscard]] std::string expression_of(const dra::WrongName& wrong) {
  return fmt::format("device.{}[\"{}\"].{}", wrong.use.is_capacity ? "capacity" : "attributes",
                     wrong.use.domain, wrong.use.name);
}

/// What to write instead of a name that the device lacks.
[[nodiscard]] std::string advise(const dra::WrongName& wrong, const dra::Device& device) {
  const std::string named = expression_of(wrong);
  if (equal_fold(wrong.suggestion, named)) {
    return fmt::format("use `{}`, as on device `{}`, because {} names are case-sensitive",
                       wrong.suggestion, device.name,
                       wrong.use.is_capacity ? "capacity" : "attribute");
  }
  if (!wrong.suggestion.empty()) {
    return fmt::format("use `{}`, because device `{}` has no `{}`", wrong.suggestion, device.name,
                       named);
  }
  return fmt::format("use {} that the devices have, because device `{}` has no `{}`",
                     wrong.use.is_capacity ? "a capacity" : "an attribute", device.name, named);
}

/// Why the nearest device does not match. If others match, the selector raises an error on it.
[[nodiscard]] std::string reason_of(const dra::SelectorReview& review,
                                    const std::optional<dra::WrongName>& wrong) {
  if (review.satisfied > 0 && wrong) {
    return fmt::format("`{}` has no `{}`", review.nearest->name, expression_of(*wrong));
  }
  if (review.match.verdict != cel::Verdict::error) {
    return fmt::format("`{}` is false {}`{}`", review.term,
                       review.devices == 1 ? "for " : "even for the best matching device ",
                       review.nearest->name);
  }
  const bool is_everywhere = review.failing > 1 && review.failing == review.devices;
  return fmt::format("`{}` raises an error on {}`{}`", review.term,
                     is_everywhere ? "each, for example " : "", review.nearest->name);
}

[[nodiscard]] std::string error_on(const dra::SelectorReview& review) {
  return fmt::format("error on this device: {}", review.match.text);
}

/// Reports a selector that matches none of its class' devices, or fails on some. `review` has a
/// nearest device.
void report_unmatched(Reporter& reporter, const dra::Wanted& wanted,
                      const dra::DeviceSelector& selector, const dra::SelectorReview& review) {
  const dra::Device& nearest = *review.nearest;
  const bool fails = review.match.verdict == cel::Verdict::error;
  const auto wrong = dra::find_wrong_name(*selector.cel, nearest);
  Finding finding = reporter.report(selector.expression, "{}: {}", count_of(wanted, review),
                                    reason_of(review, wrong));
  finding.severity(Severity::warning)
      .related(nearest.node.get("name"),
               fails ? error_on(review) : "this device meets the most conditions of the selector");
  if (!wrong) {
    finding.help("change the selector; no ResourceSlice among the inputs has such a device");
  } else if (review.satisfied > 0 && wrong->suggestion.empty()) {
    finding.help(
        "check `has({})` first; if the scheduler evaluates the selector on a device without this "
        "{}, it cannot schedule the pod",
        expression_of(*wrong), wrong->use.is_capacity ? "capacity" : "attribute");
  } else {
    finding.help("{}", advise(*wrong, nearest));
  }
}

/// Reports the selector of a class that matches no device and fails on some, for which it is meant.
void check_takes_any(Reporter& reporter, dra::Reviewer& reviewer,
                     const dra::DeviceClass& device_class, const dra::DeviceSelector& selector) {
  const dra::SelectorReview review = reviewer.review_all(*selector.cel);
  if (review.is_open || review.satisfied > 0 || review.failing == 0) return;
  if (review.nearest == nullptr || review.match.verdict != cel::Verdict::error) return;
  const dra::Device& nearest = *review.nearest;
  const auto wrong = dra::find_wrong_name(*selector.cel, nearest);
  reporter
      .report(selector.expression,
              "DeviceClass `{}` matches none of the {} devices: `{}` raises an error on `{}`",
              device_class.name, review.devices, review.term, nearest.name)
      .severity(Severity::warning)
      .related(nearest.node.get("name"), error_on(review))
      .help("{}; until then the scheduler cannot schedule pods that claim a device of this class",
            wrong ? advise(*wrong, nearest)
                  : fmt::format("correct the expression for devices such as `{}`", nearest.name));
}

[[nodiscard]] bool is_of_dra(const KubernetesObject& object) {
  return object.api_version.value_or("").starts_with("resource.k8s.io/");
}

[[nodiscard]] bool is_claim(const KubernetesObject& object) {
  return is_of_dra(object) &&
         (object.kind.equals("ResourceClaim") || object.kind.equals("ResourceClaimTemplate"));
}

void check_request(Reporter& reporter, dra::Reviewer& reviewer, const dra::Wanted& wanted) {
  for (const dra::DeviceSelector& selector : wanted.selectors) {
    if (selector.cel->understood() == cel::Understood::invalid) {
      report_invalid(reporter, selector);
      continue;
    }
    if (report_mig_profile(reporter, selector)) continue;
    const dra::SelectorReview review = reviewer.review(wanted, *selector.cel);
    const bool is_unmatched = !review.is_open && review.nearest != nullptr;
    if (is_unmatched) report_unmatched(reporter, wanted, selector, review);
  }
}

void check_class(Reporter& reporter, dra::Reviewer& reviewer,
                 const dra::DeviceClass& device_class) {
  for (const dra::DeviceSelector& selector : device_class.selectors) {
    if (selector.cel->understood() == cel::Understood::invalid) {
      report_invalid(reporter, selector);
    } else if (!report_mig_profile(reporter, selector) && !device_class.is_open) {
      check_takes_any(reporter, reviewer, device_class, selector);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::shared_ptr<const dra::Inventory> inventory;
  std::optional<dra::Reviewer> reviewer;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_class = is_of_dra(object) && object.kind.equals("DeviceClass");
    if (!is_class && !is_claim(object)) continue;
    if (inventory == nullptr) inventory = read_inventory(corpus.objects);
    if (!reviewer) reviewer.emplace(*inventory);
    if (is_class) {
      check_class(reporter, *reviewer, dra::read_device_class(object.node));
      continue;
    }
    for (const dra::Request& request : dra::read_claim(object.node).requests) {
      for (const dra::Wanted& wanted : request.alternatives) {
        check_request(reporter, *reviewer, wanted);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::device_selector

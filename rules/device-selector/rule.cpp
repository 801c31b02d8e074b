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

/// The most bytes that messages show of an expression.
constexpr std::size_t shown = 60;

/// Why the API server rejects the selector.
[[nodiscard]] std::string reason_of(const cel::Selector& selector) {
  const cel::Complaint& complaint = selector.complaint();
  const bool is_at_end = complaint.at >= selector.text().size();
  if (!is_at_end || complaint.text != "a name is missing") return complaint.text;
  const std::string_view text = trim(selector.text());
  if (text.empty()) return "the expression is empty";
  const std::string_view last = text.substr(text.find_last_of(" \t\r\n") + 1);
  return fmt::format("the expression ends after `{}`", shortened(std::string(last), shown));
}

/// The text literal at the begin of `rest`, all of `rest` if its end is not certain.
[[nodiscard]] std::string first_literal(const std::string& rest) {
  const char quote = rest.front();
  if (quote != '\'' && quote != '"') return rest;
  const std::size_t end = rest.find(quote, 1);
  const bool is_plain = end != std::string::npos && end > 1 && rest[end - 1] != '\\';
  return is_plain ? rest.substr(0, end + 1) : rest;
}

/// What to write for versions and quantities: `` `a.isLessThan(b)` instead of `a < b` ``. Empty if
/// the complaint is not about a comparison.
[[nodiscard]] std::string comparison_for(std::string_view complaint) {
  if (!complaint.starts_with('\'')) return {};
  complaint.remove_prefix(1);
  const std::string_view op = complaint.substr(0, complaint.find('\''));
  if (op == ">") return "`a.isGreaterThan(b)` instead of `a > b`";
  if (op == "<") return "`a.isLessThan(b)` instead of `a < b`";
  if (op == ">=") return "`a.compareTo(b) >= 0` instead of `a >= b`";
  if (op == "<=") return "`a.compareTo(b) <= 0` instead of `a <= b`";
  return {};
}

/// How to correct an invalid selector. `rest`: its text from the fault on.
[[nodiscard]] std::string correction_of(const std::string& complaint, const std::string& rest) {
  if (rest.empty()) return "complete the expression";
  if (is_compared_by_methods(complaint)) {
    const std::string comparison = comparison_for(complaint);
    if (!comparison.empty()) return fmt::format("write {} for versions and quantities", comparison);
    return "compare versions and quantities with a method, for example `a.compareTo(b) >= 0`";
  }
  if (complaint.find("regular expression") != std::string::npos) {
    return fmt::format("correct the regular expression `{}`",
                       shortened(first_literal(rest), shown));
  }
  const bool is_value = complaint.find("must evaluate to bool") != std::string::npos;
  return is_value ? fmt::format("compare `{}` with a value", shortened(rest, shown))
                  : fmt::format("correct `{}`", shortened(rest, shown));
}

/// Reports a selector that the API server rejects, with the reason.
void report_invalid(Reporter& reporter, const dra::DeviceSelector& written) {
  const cel::Selector& selector = *written.cel;
  const std::string rest = selector.text().substr(selector.complaint().at);
  reporter.report(written.expression, "invalid device selector: {}", reason_of(selector))
      .help("{}. Otherwise the API server rejects the object",
            correction_of(selector.complaint().text, rest));
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
        selector.expression,
        "this selector requires the MIG profile `{}`, but no GPU has this profile", text);
    const auto meant = suggest_mig_profile(text);
    if (meant && is_published(*meant)) {
      finding.help("did you mean `{}`?", *meant);
    } else {
      finding.help(
          "correct the profile. Run `gpulint rule unknown-mig-profile` to see where the profiles "
          "come from");
    }
    return true;
  }
  return false;
}

/// What the selector does with the devices: `raises an error on each of the 2 devices`.
[[nodiscard]] std::string outcome_of(const dra::SelectorReview& review) {
  if (review.satisfied > 0) {
    return fmt::format("raises an error on {} of the {} devices", review.failing, review.devices);
  }
  const bool fails_everywhere = review.failing == review.devices;
  if (review.devices == 1) {
    return fails_everywhere ? "raises an error on the only device"
                            : "does not match the only device";
  }
  return fails_everywhere ? fmt::format("raises an error on each of the {} devices", review.devices)
                          : fmt::format("matches none of the {} devices", review.devices);
}

/// The name that a device lacks, as an expression.
[[nodiscard]] std::string expression_of(const dra::WrongName& wrong) {
  return fmt::format("device.{}[\"{}\"].{}", wrong.use.is_capacity ? "capacity" : "attributes",
                     wrong.use.domain, wrong.use.name);
}

/// What to write instead of a name that the device lacks.
[[nodiscard]] std::string advise(const dra::WrongName& wrong, const dra::Device& device) {
  const std::string named = expression_of(wrong);
  const std::string_view meant =
      std::string_view(wrong.suggestion).substr(wrong.suggestion.rfind('.') + 1);
  if (equal_fold(wrong.suggestion, named) && meant != wrong.use.name) {
    return fmt::format("write `{}` instead of `{}`, because {} names are case-sensitive", meant,
                       wrong.use.name, wrong.use.is_capacity ? "capacity" : "attribute");
  }
  if (!wrong.suggestion.empty()) {
    return fmt::format("use `{}`, because device `{}` has no `{}`", wrong.suggestion, device.name,
                       named);
  }
  return fmt::format("replace `{}` with {} that the devices have", named,
                     wrong.use.is_capacity ? "a capacity" : "an attribute");
}

/// What to do with a term that raises an error on a device, although the device has its names.
[[nodiscard]] std::string advise_error(const dra::SelectorReview& review) {
  return fmt::format("correct the expression for devices such as `{}`", review.nearest->name);
}

[[nodiscard]] std::string error_on(const dra::SelectorReview& review) {
  return fmt::format("`{}` raises an error on device `{}`: {}", review.term, review.nearest->name,
                     review.match.text);
}

/// Why the nearest device does not match.
[[nodiscard]] std::string miss_of(const dra::SelectorReview& review) {
  return fmt::format("device `{}` {} `{}`", review.nearest->name,
                     review.devices == 1 ? "does not meet the condition"
                                         : "comes closest, but does not meet the condition",
                     review.term);
}

/// Reports a selector that matches none of its class' devices, or fails on some. `review` has a
/// nearest device.
void report_unmatched(Reporter& reporter, const dra::Wanted& wanted,
                      const dra::DeviceSelector& selector, const dra::SelectorReview& review) {
  const dra::Device& nearest = *review.nearest;
  const bool fails = review.match.verdict == cel::Verdict::error;
  const auto wrong = dra::find_wrong_name(*selector.cel, nearest);
  Finding finding = reporter.report(selector.expression, "this selector {} of class `{}`",
                                    outcome_of(review), wanted.device_class);
  finding.severity(Severity::warning)
      .related(nearest.node.get("name"), fails ? error_on(review) : miss_of(review));
  if (!wrong && fails) {
    finding.help("{}", advise_error(review));
  } else if (!wrong) {
    finding.help(
        "change the selector, because no ResourceSlice among the inputs has such a device");
  } else if (review.satisfied > 0 && wrong->suggestion.empty()) {
    finding.help(
        "start the expression with `has({}) &&`. Otherwise a device without this {} can prevent "
        "the scheduling of the pod",
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
      .report(selector.expression, "the selector of DeviceClass `{}` {}", device_class.name,
              outcome_of(review))
      .severity(Severity::warning)
      .related(nearest.node.get("name"), error_on(review))
      .help("{}. Otherwise pods that claim a device of this class stay Pending",
            wrong ? advise(*wrong, nearest) : advise_error(review));
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

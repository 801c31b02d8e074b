#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/device_plugin/device_plugin_config.h"
#include "rules/support/device_plugin.h"
#include "rules/support/indefinite_article.h"

namespace gpulint::rules::device_plugin_config {
namespace {

using Kind = DevicePluginProblem::Kind;

/// Mistakes with which the plugin usually works as intended.
[[nodiscard]] bool is_harmless(Kind kind) {
  return kind == Kind::ignored_devices || kind == Kind::ignored_resources ||
         kind == Kind::duplicate_resource || kind == Kind::mps_with_mig ||
         kind == Kind::ignored_rename || kind == Kind::unmatched_resource;
}

/// Whether the plugin would start with these entries in the right place.
[[nodiscard]] bool are_complete(Node resources) {
  return std::ranges::all_of(resources.items(), [](Node entry) {
    return !entry.is_mapping() || (entry.get("name") && entry.get("replicas"));
  });
}

/// What to write instead of a value that stops the plugin.
[[nodiscard]] std::string remedy(const DevicePluginProblem& problem) {
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "write a mapping";
    case Kind::mistyped:
      return "write " + with_article(detail);
    case Kind::unknown_version:
      return "write `v1`";
    case Kind::missing_field:
      return problem.node.key().text() == detail
                 ? fmt::format("add at least one entry to `{}`", detail)
                 : fmt::format("add `{}`", detail);
    case Kind::too_few_replicas:
      return "set `replicas` to 2 or more";
    case Kind::invalid_name:
      return "correct the resource name";
    case Kind::invalid_devices:
      return "write `all`, or list the indexes or UUIDs of the GPUs";
    case Kind::invalid_value:
      return detail.empty() ? "write a valid value" : fmt::format("write `{}`", detail);
    case Kind::mps_with_mixed:
      return "remove `mps`, or use another MIG strategy";
    case Kind::mps_without_root:
      return "set `mpsRoot`";
    default:
      return "correct the marked text";
  }
}

/// What to do about a setting that the plugin ignores or cannot carry out.
[[nodiscard]] std::string_view remedy_of_ignored(Kind kind) {
  switch (kind) {
    case Kind::unknown_key:
      return "remove the key, or correct the name of the key";
    case Kind::ignored_rename:
    case Kind::ignored_devices:
    case Kind::ignored_resources:
    case Kind::duplicate_resource:
      return "remove this setting, because the device plugin ignores the setting";
    case Kind::too_many_replicas:
      return "set `replicas` to 48 or less. Otherwise the device plugin does not work as "
             "configured";
    default:
      return "correct or remove this setting. Otherwise the device plugin does not work as "
             "configured";
  }
}

/// The help next to a fix, which says what to do: why it is necessary.
[[nodiscard]] std::string reason_for_fix(const DevicePluginProblem& problem, bool stops) {
  if (problem.kind == Kind::zeroed_flag) {
    return stops ? std::string("move the key. Otherwise the device plugin does not start")
                 : fmt::format("the device plugin reads `{}` as empty or false", problem.detail);
  }
  if (problem.kind == Kind::misplaced_key) {
    return fmt::format("the device plugin reads this key only at `{}`", problem.detail);
  }
  return stops ? "the device plugin does not start with this value"
               : "the device plugin ignores unknown keys without an error message";
}

void report(const Corpus& corpus, Reporter& reporter, Node root,
            const DevicePluginProblem& problem) {
  const Node at = problem.node;
  const Node key = at.key();
  const bool is_about_key = problem.kind == Kind::unknown_key ||
                            problem.kind == Kind::misplaced_key ||
                            problem.kind == Kind::ignored_rename || !at.is_scalar();
  std::string shown(key && is_about_key ? key.text() : at.text());
  if (key && !is_about_key && problem.kind == Kind::zeroed_flag) {
    shown = fmt::format("{}: {}", key.text(), shown);
  }
  Finding finding =
      reporter.report_span(is_about_key ? at.key_span() : at.span(), at, "{} {}",
                           shown.empty() ? (at.parent() ? "this entry" : "the configuration")
                                         : fmt::format("`{}`", shown),
                           describe(problem));
  const bool is_misplaced = !problem.detail.empty() && (problem.kind == Kind::misplaced_key ||
                                                        problem.kind == Kind::zeroed_flag);
  const bool stops = problem.stage != DevicePluginProblem::Stage::none;
  DevicePluginCorrection correction;
  if (!is_misplaced || are_complete(at)) correction = correct(*corpus.sources, root, problem);
  if (!correction.edits.empty()) {
    finding.help("{}", reason_for_fix(problem, stops));
  } else if (is_misplaced) {
    finding.help("move the key to `{}`{}", problem.detail,
                 stops ? ". Otherwise the device plugin does not start" : "");
  } else if (stops) {
    finding.help("{}. Otherwise the device plugin does not start", remedy(problem));
  } else if (problem.kind == Kind::shadowed_time_slicing) {
    finding.help("remove `timeSlicing` or `mps`. Otherwise the device plugin uses only `mps`");
  } else if (problem.kind == Kind::unknown_key && !problem.detail.empty()) {
    finding.help("did you mean `{}`?", problem.detail);
  } else {
    finding.help("{}", remedy_of_ignored(problem.kind));
  }
  finding.fix(Safety::unsafe, std::move(correction.title), std::move(correction.edits));
  if (is_harmless(problem.kind) && !stops) {
    finding.severity(Severity::warning);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Node root : device_plugin_config_roots(corpus.documents)) {
    const DevicePluginConfig config = read_device_plugin_config(root);
    if (config.opaque) continue;
    for (const DevicePluginProblem& problem : config.problems) {
      if (problem.node.key().text() == "..." || is_misspelt(config, problem)) continue;
      report(corpus, reporter, root, problem);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::device_plugin_config

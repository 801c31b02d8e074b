#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/device_plugin/device_plugin_config.h"
#include "rules/support/device_plugin.h"

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
  if (problem.stage != DevicePluginProblem::Stage::none) {
    finding.help("{}",
                 is_misplaced
                     ? fmt::format("move it to `{0}`; the device plugin does not start if "
                                   "`{0}` has no value",
                                   problem.detail)
                     : "correct the configuration; otherwise the device plugin does not start");
  } else if (is_misplaced) {
    finding.help("move it to `{}`", problem.detail);
  } else if (problem.kind == Kind::shadowed_time_slicing) {
    finding.help("remove `timeSlicing` or `mps`; the plugin does not use both");
  } else if (problem.kind == Kind::unknown_key && !problem.detail.empty()) {
    finding.help("did you mean `{}`?", problem.detail);
  } else {
    finding.help(
        "correct or remove this setting; otherwise the device plugin does not work as configured");
  }
  if (!is_misplaced || are_complete(at)) {
    DevicePluginCorrection correction = correct(*corpus.sources, root, problem);
    finding.fix(Safety::unsafe, std::move(correction.title), std::move(correction.edits));
  }
  if (is_harmless(problem.kind) && problem.stage == DevicePluginProblem::Stage::none) {
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

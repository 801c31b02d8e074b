#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/model/device_plugin_config.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

using Kind = DevicePluginProblem::Kind;

/// What the plugin makes of it, as the end of a sentence.
[[nodiscard]] std::string describe(const DevicePluginProblem& problem) {
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "is no mapping";
    case Kind::unreadable:
      return "cannot be read as JSON";
    case Kind::mistyped:
      return fmt::format("must be a {}", detail);
    case Kind::unknown_version:
      return "is no known version; it must be `v1`";
    case Kind::missing_field:
      return fmt::format("lacks `{}`", detail);
    case Kind::too_few_replicas:
      return "shares nothing: at least 2 replicas are due";
    case Kind::invalid_name:
      return fmt::format("gives the invalid resource name `{}`", detail);
    case Kind::invalid_devices:
      return "lists devices in no known form";
    case Kind::invalid_value:
      return "is no value that the plugin knows";
    case Kind::mps_with_mixed:
      return "cannot be combined with MIG strategy `mixed`";
    case Kind::mps_without_root:
      return "needs `mpsRoot`";
    case Kind::unknown_key:
      return "is dropped in silence: no such key";
    case Kind::misplaced_key:
      return "is dropped in silence: it stands at the wrong place";
    case Kind::zeroed_flag:
      return "is lost here, and the flag becomes empty";
    case Kind::ignored_rename:
      return fmt::format("has no effect: the resource is offered as `{}`", detail);
    case Kind::ignored_devices:
      return "has no effect: every device is shared";
    case Kind::ignored_resources:
      return "has no effect";
    case Kind::shadowed_time_slicing:
      return "has no effect: `mps` is given, too, and wins";
    case Kind::duplicate_resource:
      return "has no effect: an earlier entry has the same name";
    case Kind::too_many_replicas:
      return "is more than the 48 clients that MPS serves";
    case Kind::mps_with_mig:
      return "fails as soon as a GPU has MIG devices";
    case Kind::unmatched_resource:
      return fmt::format("shares nothing: strategy `{}` offers no such resource", detail);
  }
  return {};
}

/// Faults that leave the plugin working as most people mean it.
[[nodiscard]] bool is_harmless(Kind kind) {
  return kind == Kind::ignored_devices || kind == Kind::ignored_resources ||
         kind == Kind::duplicate_resource || kind == Kind::mps_with_mig ||
         kind == Kind::ignored_rename || kind == Kind::unmatched_resource;
}

void report(const Corpus& corpus, Reporter& reporter, const DevicePluginProblem& problem) {
  const Node at = problem.node;
  const Node key = at.key();
  const bool is_about_key =
      problem.kind == Kind::unknown_key || problem.kind == Kind::misplaced_key || !at.is_scalar();
  const std::string_view shown = key && is_about_key ? key.text() : at.text();
  Finding finding = reporter.report_span(
      is_about_key ? at.key_span() : at.span(), at, "`{}` {}",
      shown.empty() ? std::string_view("the configuration") : shown, describe(problem));
  if (problem.stage != DevicePluginProblem::Stage::none) {
    finding.help("the device plugin does not start with it");
  } else if (!problem.detail.empty() &&
             (problem.kind == Kind::misplaced_key || problem.kind == Kind::zeroed_flag)) {
    finding.help("it belongs under `{}`", problem.detail);
  } else if (problem.kind == Kind::unknown_key && !problem.detail.empty()) {
    finding.help("did you mean `{}`?", problem.detail)
        .fix(Safety::unsafe, fmt::format("rename to `{}`", problem.detail),
             rename_key(*corpus.sources, at, problem.detail));
  } else {
    finding.help("the device plugin starts, but not as written");
  }
  if (is_harmless(problem.kind) && problem.stage == DevicePluginProblem::Stage::none) {
    finding.severity(Severity::warning);
  }
}

/// Values of the plugin's Helm chart have keys of the same names; they have no version.
[[nodiscard]] bool is_plugin_config(const Document& document) {
  const Node config = root(document);
  const bool is_file = config.get("version") || (document.host != nullptr && config.get("sharing"));
  return is_file && looks_like_device_plugin_config(config);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty() || !is_plugin_config(*document)) continue;
    const DevicePluginConfig config = read_device_plugin_config(root(*document));
    if (config.opaque) continue;
    for (const DevicePluginProblem& problem : config.problems) {
      if (problem.node.key().text() != "...") report(corpus, reporter, problem);  // left out
    }
  }
}

}  // namespace

extern constinit const Rule device_plugin_config;
constinit const Rule device_plugin_config{
    .info = {.id = "device-plugin-config",
             .category = "resources",
             .summary = "NVIDIA's device plugin refuses this configuration or drops a part of it.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules

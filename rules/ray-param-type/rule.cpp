#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "rules/support/queries.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules::ray_param_type {
namespace {

[[nodiscard]] std::string escape_quotes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// A parameter that YAML reads as another type.
[[nodiscard]] bool is_unquoted_parameter(const RayProblem& problem) {
  return problem.kind == RayProblem::Kind::not_a_string && problem.node.is_scalar() &&
         problem.detail == "rayStartParams";
}

/// What to do, as an imperative.
[[nodiscard]] std::string advice(const RayProblem& problem, std::string_view kind) {
  using Kind = RayProblem::Kind;
  const Node at = problem.node;
  const std::string_view key = at.key() ? at.key().text() : at.text();
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::missing_field:
      return fmt::format("add `{}`", detail);
    case Kind::unknown_value:
      return detail.empty() ? fmt::format("correct the value of `{}`", key)
                            : fmt::format("write `{}`", detail);
    case Kind::resources_twice:
      return fmt::format("remove `{}`, or remove `resources` of the group", key);
    case Kind::labels_parameter:
      return "move the labels to the field `labels` of the group";
    case Kind::invalid_replicas:
      return at.text().starts_with('-')
                 ? fmt::format("set `{}` to 0 or more", key)
                 : fmt::format("set `{}` to at most `maxReplicas`, or raise `maxReplicas`", key);
    case Kind::needs_autoscaler_v2:
      return fmt::format("set `autoscalerOptions.version: v2`, or remove `{}`", key);
    case Kind::old_ray_version:
      return fmt::format("set `rayVersion` to 2.56 or later, or remove `{}`", key);
    case Kind::suspended_group:
      return "remove `suspend`, or set `enableInTreeAutoscaling: false`";
    case Kind::restart_policy:
      return "set `restartPolicy: Never`";
    default:
      return fmt::format("correct the {}", kind);
  }
}

void report_refusal(Reporter& reporter, const RayCluster& cluster, const RayProblem& problem) {
  const Node at = problem.node ? problem.node : cluster.spec;
  const std::string text = fmt::format("{} rejects the {}, because {}", refuser(problem.stage),
                                       cluster.kind, describe(problem));
  Finding finding =
      at.is_scalar() ? reporter.report(at, "{}", text) : reporter.report_key(at, "{}", text);
  finding.help("{}. Otherwise KubeRay creates no pods", advice(problem, cluster.kind));
}

/// JSON without quotes around it: `bash` removes the quotes of its names and splits it at spaces.
/// KubeRay rewrites it only if it adds an accelerator.
void check_bare_resources(Reporter& reporter, const RayGroup& group) {
  const auto written = group.params.find("resources");
  if (written == group.params.end() || !written->second.is_known()) return;
  const std::string& text = written->second.value();
  const bool is_bare = text.starts_with('{') && text.find('"') != std::string::npos &&
                       text.find('\\') == std::string::npos;
  const bool may_be_rewritten =
      std::ranges::any_of(group.accelerators, [](const RayAccelerator& accelerator) {
        return is_no_gpu_to_ray(accelerator.limit.name.value) && accelerator.counted;
      });
  if (!is_bare || may_be_rewritten || group.resources.node != written->second.node()) return;
  reporter
      .report(written->second.node(),
              "`ray start` reads invalid JSON, because the shell removes the quotes in `{}`", text)
      .help("write `'\"{}\"'`, because the shell keeps escaped quotes", escape_quotes(text));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayGroup& group : cluster.groups) check_bare_resources(reporter, group);
    for (const RayProblem& problem : cluster.problems) {
      const Node at = problem.node;
      if (is_unquoted_parameter(problem)) {
        std::vector<Edit> edits = quote(*corpus.sources, at);
        reporter
            .report(at, "`{}` must be a string, but YAML reads `{}` as a {}", at.key().text(),
                    at.text(), read_type(at))
            .help("{}the API server rejects the object",
                  edits.empty() ? "quote the value. Otherwise " : "")
            .fix(Safety::safe, "quote the value", std::move(edits));
      } else if (problem.stage != RayProblem::Stage::none && has_accelerators(cluster) &&
                 !is_told_elsewhere(problem)) {
        report_refusal(reporter, cluster, problem);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::ray_param_type

#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

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

void report_refusal(Reporter& reporter, const RayCluster& cluster, const RayProblem& problem) {
  const Node at = problem.node ? problem.node : cluster.spec;
  const std::string text =
      fmt::format("{} rejects the {}: {}", refuser(problem.stage), cluster.kind, describe(problem));
  Finding finding =
      at.is_scalar() ? reporter.report(at, "{}", text) : reporter.report_key(at, "{}", text);
  finding.help("correct the {}; until then KubeRay creates no pods", cluster.kind);
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
              "the shell removes the quotes in `{}`, so `ray start` reads invalid JSON", text)
      .help("add double quotes for the shell inside the YAML string: write `'\"{}\"'`",
            escape_quotes(text));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayGroup& group : cluster.groups) check_bare_resources(reporter, group);
    for (const RayProblem& problem : cluster.problems) {
      const Node at = problem.node;
      if (is_unquoted_parameter(problem)) {
        reporter
            .report(at, "`{}` must be a string, but YAML reads `{}` as a {}", at.key().text(),
                    at.text(), read_type(at))
            .help("quote the value; otherwise the API server rejects the whole object")
            .fix(Safety::safe, "quote it", quote(*corpus.sources, at));
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

#include "rules/flyte-value-type/problems.h"

#include <string>

#include <fmt/format.h>

#include "compiler/flyte/helm_values.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::flyte_value_type {

void report_problems(const flyte::FlyteConfig& config, Reporter& reporter) {
  for (const flyte::ConfigProblem& problem : distinct_problems(config)) {
    const Node mapping = problem.node.parent();
    if (mapping.get("key") && problem.path.find("resource-tolerations") != std::string::npos) {
      reporter.report(mapping, "a toleration stands where Flyte expects a resource's name")
          .help("Flyte does not start; write `- nvidia.com/gpu:` above the list of tolerations");
      continue;
    }
    if (problem.message.starts_with(flyte::helm_refuses_setting)) {
      reporter.report(problem.node, "{}", problem.message)
          .help("the chart is not installed; at `{}`", problem.path);
      continue;
    }
    reporter.report(problem.node, "Flyte does not start: {}", problem.message)
        .help("{}", problem.path.empty() ? "it reads sections by their names, such as `plugins:`"
                                         : fmt::format("at `{}`", problem.path));
  }
}

}  // namespace gpulint::rules::flyte_value_type

#include "rules/misplaced-resources/report_shape.h"

#include <string_view>

#include "compiler/model/gpu_resource.h"
#include "rules/support/api_problems.h"
#include "rules/support/queries.h"
#include "rules/support/resource_edits.h"

namespace gpulint::rules::misplaced_resources {

void report_bare_amounts(const Corpus& corpus, Reporter& reporter, const Container& container) {
  for (const auto& [key, value] : container.resources.node.entries()) {
    const std::string_view name = key.text();
    if (name == "limits" || name == "requests" || !is_gpu_resource(name)) continue;
    reporter.report(key, "`{}` stands directly under `resources`, where nothing reads it", name)
        .help("it belongs under `limits`")
        .fix(Safety::unsafe, "move it into `limits`", move_to_limits(*corpus.sources, value));
  }
}

void report_shape(Reporter& reporter, const ApiProblem& problem) {
  constexpr std::string_view help = "the API server cannot read the object";
  const Node at = problem.node;
  const std::string_view name = last_field(problem);
  if (!at.is_scalar()) {
    reporter
        .report_key(at, "`{}` is a {}, where the API takes something else", name,
                    at.is_mapping() ? "mapping" : "list")
        .help("{}", help);
  } else if (at.key()) {
    reporter
        .report(at, "`{}` is a {}, where the API takes a {}", name, read_type(at),
                wanted_type(problem))
        .help("{}", help);
  } else {
    reporter
        .report(at, "an item of `{}` is a {}, where the API takes a {}", name, read_type(at),
                wanted_type(problem))
        .help("{}", help);
  }
}

}  // namespace gpulint::rules::misplaced_resources

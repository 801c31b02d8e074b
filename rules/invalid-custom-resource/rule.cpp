#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/schema_problems.h"
#include "rules/invalid-custom-resource/other_generation.h"
#include "rules/invalid-custom-resource/scalars.h"
#include "rules/invalid-custom-resource/webhooks.h"
#include "rules/support/custom_resources.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

using Kind = SchemaProblem::Kind;
constexpr std::string_view effect = "the API server refuses the whole object for it";

/// Whether a finding stands there, or beside it in the same mapping.
[[nodiscard]] bool is_told(Node at, std::span<const Diagnostic> found) {
  const Node value = at.value() ? at.value() : at;
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return !is_of_whole_document(finding.span, at) &&
           (finding.span.overlaps(value.span()) || finding.span.overlaps(value.key_span()));
  });
}

void report_type(const Corpus& corpus, Reporter& reporter, const CustomResource& resource,
                 const SchemaProblem& problem) {
  std::vector<Edit> edits = mend(*corpus.sources, problem.at, *problem.schema);
  const bool is_text = problem.schema->type == Schema::Type::text;
  reporter
      .report(problem.at, "`{}` takes {}, not {}", path_below(resource.prefix, problem.path),
              type_text(*problem.schema), written(problem.at))
      .help("{}", effect)
      .fix(Safety::safe, is_text ? "quote it" : "write it without quotes", std::move(edits));
}

void report_word(const Corpus& corpus, Reporter& reporter, const CustomResource& resource,
                 const SchemaProblem& problem) {
  const std::vector<std::string>& words = problem.schema->words;
  const std::vector<std::string_view> known(words.begin(), words.end());
  const std::optional<std::string_view> meant = nearest(problem.at.text(), known);
  Finding finding = reporter
                        .report(problem.at, "`{}` is none of what `{}` takes", problem.at.text(),
                                path_below(resource.prefix, problem.path))
                        .help("{}; it takes `{}`", effect, fmt::join(words, "`, `"));
  if (!meant) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, problem.at, *meant));
}

void report_key(Reporter& reporter, const CustomResource& resource, const SchemaProblem& problem) {
  const std::string_view meant = meant_key(problem.at.text(), *problem.schema);
  const std::string path = path_below(resource.prefix, problem.path);
  Finding finding =
      reporter.report(problem.at, "`{}` is no field of {}", problem.at.text(),
                      path.empty() ? resource.object->kind.value() : fmt::format("`{}`", path));
  finding.related(resource.definition.at("spec", "names", "kind"), "the definition");
  if (meant.empty() || problem.at.parent().get(meant)) {
    finding.severity(Severity::warning).help("the API server drops it, or refuses the object");
  } else {
    finding.help("the API server drops it; did you mean `{}`?", meant);
  }
}

void check_rest(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  check_webhooks(corpus, reporter);
  for (const CustomResource& resource : find_custom_resources(corpus)) {
    const auto problems = find_schema_problems(resource.value, resource.schema);
    if (report_other_generation(reporter, resource, problems)) continue;
    for (const SchemaProblem& problem : problems) {
      const bool is_open = !resource.definition &&
                           (problem.kind == Kind::unknown_key || problem.kind == Kind::missing);
      if (is_open || is_told(problem.at, found)) continue;
      switch (problem.kind) {
        case Kind::wrong_type:
          report_type(corpus, reporter, resource, problem);
          break;
        case Kind::unknown_word:
          report_word(corpus, reporter, resource, problem);
          break;
        case Kind::unknown_key:
          report_key(reporter, resource, problem);
          break;
        case Kind::missing:
          reporter
              .report_key(problem.at, "`{}` is missing, which the definition requires",
                          path_below(resource.prefix, problem.path))
              .related(resource.definition.at("spec", "names", "kind"), "the definition")
              .help("{}", effect);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "invalid-custom-resource",
             .category = "operators",
             .summary =
                 "A custom resource has a value or field that its definition does not allow.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = nullptr,
    .check_rest = check_rest};

}  // namespace gpulint::rules::invalid_custom_resource

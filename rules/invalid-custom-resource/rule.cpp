#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/source_file.h"
#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"
#include "compiler/model/schema.h"
#include "compiler/model/schema_problems.h"
#include "rules/invalid-custom-resource/webhooks.h"
#include "rules/support/custom_resources.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

/// Nothing where there is none.
[[nodiscard]] Node find_other_generation(const CustomResource& resource,
                                         const std::vector<SchemaProblem>& problems) {
  constexpr std::size_t several = 3;
  if (!resource.definition) return {};
  std::map<Span, std::size_t> unknown;
  for (const SchemaProblem& problem : problems) {
    if (problem.kind != SchemaProblem::Kind::unknown_key) continue;
    const Node section = problem.at.parent();
    const std::size_t count = ++unknown[section.span()];
    if (count >= several && count * 2 > section.size()) return section;
  }
  return {};
}

/// Reports a section of the resource most of whose fields its definition does not know, three at
/// least: the definition is of an older release, or of a newer. Once, in place of each field;
/// false: there is none.
[[nodiscard]] bool report_other_generation(Reporter& reporter, const CustomResource& resource,
                                           const std::vector<SchemaProblem>& problems) {
  const Node section = find_other_generation(resource, problems);
  if (!section) return false;
  reporter
      .report_key(section, "most fields of `{}` are none of its definition's",
                  resource.object->kind.value())
      .related(resource.definition.at("spec", "names", "kind"), "the definition")
      .severity(Severity::warning)
      .help("the definition may be of another release than the resource");
  return true;
}

/// What stands there, for a message: «a list», «the string `true`», «`580.95`».
[[nodiscard]] std::string written(Node at) {
  if (at.is_mapping()) return "a mapping";
  if (at.is_sequence()) return "a list";
  const std::string_view type = at.style() == Style::plain ? "" : "the string ";
  return fmt::format("{}`{:.40}`", type, at.text());
}

/// The same value with or without quotes, where that is what is meant; else no edits.
[[nodiscard]] std::vector<Edit> mend(const SourceSet& sources, Node at, const Schema& schema) {
  if (!at.is_scalar()) return {};
  const bool is_text = schema.type == Schema::Type::text;
  if (is_text && at.style() == Style::plain) return quote(sources, at);
  const bool means_boolean = at.text() == "true" || at.text() == "false";
  if (schema.type != Schema::Type::boolean || !means_boolean) return {};
  return replace_raw(sources, at, at.text());
}

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

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::safe},
                                 .check_rest = check_rest};

}  // namespace gpulint::rules::invalid_custom_resource

#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
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
#include "compiler/ir/read.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/schema.h"
#include "compiler/model/schema_problems.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/invalid-custom-resource/operator_webhooks.h"
#include "rules/support/custom_resources.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

/// The section whose fields are mostly unknown. Null if there is none.
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

/// Reports a section with mostly unknown fields (at least three) once, instead of each field: the
/// definition is of another release. Returns false if there is no such section.
[[nodiscard]] bool report_other_generation(Reporter& reporter, const CustomResource& resource,
                                           const std::vector<SchemaProblem>& problems) {
  const Node section = find_other_generation(resource, problems);
  if (!section) return false;
  reporter
      .report_key(section,
                  "most fields of this section are not in the CustomResourceDefinition of `{}`",
                  resource.object->kind.value())
      .related(resource.definition.at("spec", "names", "kind"),
               "this CustomResourceDefinition does not have these fields")
      .severity(Severity::warning)
      .help("check that the CustomResourceDefinition and the resource belong to the same release");
  return true;
}

/// The value for a message: "a list", "the string `true`", "`580.95`".
[[nodiscard]] std::string written(Node at) {
  if (at.is_mapping()) return "a mapping";
  if (at.is_sequence()) return "a list";
  const auto read = read_kubernetes_scalar(at);
  const bool is_string = read && read->type == KubernetesScalar::Type::string;
  return fmt::format("{}`{:.40}`", is_string ? "the string " : "", at.text());
}

/// Edits that add or remove quotes, if that corrects the value; otherwise none.
[[nodiscard]] std::vector<Edit> requote(const SourceSet& sources, Node at, const Schema& schema) {
  if (!at.is_scalar()) return {};
  const bool is_text = schema.type == Schema::Type::text;
  if (is_text && at.style() == Style::plain) return quote(sources, at);
  const bool means_boolean = at.text() == "true" || at.text() == "false";
  if (schema.type != Schema::Type::boolean || !means_boolean) return {};
  return replace_raw(sources, at, at.text());
}

using Kind = SchemaProblem::Kind;

/// Whether there is a finding at the node or at its key.
[[nodiscard]] bool is_told(Node at, std::span<const Diagnostic> found) {
  const Node value = at.value() ? at.value() : at;
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return !is_of_whole_document(finding.span, at) &&
           (finding.span.overlaps(value.span()) || finding.span.overlaps(value.key_span()));
  });
}

void report_type(const Corpus& corpus, Reporter& reporter, const CustomResource& resource,
                 const SchemaProblem& problem) {
  std::vector<Edit> edits = requote(*corpus.sources, problem.at, *problem.schema);
  const bool is_text = problem.schema->type == Schema::Type::text;
  const std::string path = path_below(resource.prefix, problem.path);
  const std::string_view type = type_text(*problem.schema);
  Finding finding =
      is_text && !edits.empty()
          ? reporter.report(problem.at, "`{}` must be {}, but YAML reads `{:.40}` as a {}", path,
                            type, problem.at.text(), read_type(problem.at))
          : reporter.report(problem.at, "`{}` must be {}, not {}", path, type, written(problem.at));
  if (edits.empty()) {
    finding.help("write {}. Otherwise {}", type_text(*problem.schema), rejects);
    return;
  }
  finding.help("{}", rejects)
      .fix(Safety::safe, is_text ? "quote the value" : "remove the quotes", std::move(edits));
}

void report_key(Reporter& reporter, const CustomResource& resource, const SchemaProblem& problem) {
  const std::string_view meant = meant_key(problem.at.text(), *problem.schema);
  const std::string path = path_below(resource.prefix, problem.path);
  Finding finding =
      reporter.report(problem.at, "`{}` is not a field of {}", problem.at.text(),
                      path.empty() ? resource.object->kind.value() : fmt::format("`{}`", path));
  finding.related(resource.definition.at("spec", "names", "kind"),
                  "this CustomResourceDefinition does not have the field");
  if (meant.empty() || problem.at.parent().get(meant)) {
    finding.severity(Severity::warning)
        .help("remove the field. Otherwise the API server drops the field or rejects the object");
  } else {
    finding.help(
        "rename the field to `{}`, or remove the field. Otherwise the API server drops the field",
        meant);
  }
}

void check_after(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
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
          report_word(corpus, reporter, problem.at, path_below(resource.prefix, problem.path),
                      std::vector<std::string_view>(problem.schema->words.begin(),
                                                    problem.schema->words.end()));
          break;
        case Kind::unknown_key:
          report_key(reporter, resource, problem);
          break;
        case Kind::missing:
          reporter
              .report_key(problem.at,
                          "`{}` is missing, but the CustomResourceDefinition requires this field",
                          path_below(resource.prefix, problem.path))
              .related(resource.definition.at("spec", "names", "kind"),
                       "this CustomResourceDefinition requires the field")
              .help("add `{}`. Otherwise {}", path_below(resource.prefix, problem.path), rejects);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::safe},
                                 .check_after = check_after};

}  // namespace gpulint::rules::invalid_custom_resource

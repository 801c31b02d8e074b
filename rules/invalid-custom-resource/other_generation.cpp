#include "rules/invalid-custom-resource/other_generation.h"

#include <cstddef>
#include <map>

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

}  // namespace

bool report_other_generation(Reporter& reporter, const CustomResource& resource,
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

}  // namespace gpulint::rules::invalid_custom_resource

#include "rules/invalid-custom-resource/scalars.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"

namespace gpulint::rules::invalid_custom_resource {

std::string written(Node at) {
  if (at.is_mapping()) return "a mapping";
  if (at.is_sequence()) return "a list";
  const std::string_view type = at.style() == Style::plain ? "" : "the string ";
  return fmt::format("{}`{:.40}`", type, at.text());
}

std::vector<Edit> mend(const SourceSet& sources, Node at, const Schema& schema) {
  if (!at.is_scalar()) return {};
  const bool is_text = schema.type == Schema::Type::text;
  if (is_text && at.style() == Style::plain) return quote(sources, at);
  const bool means_boolean = at.text() == "true" || at.text() == "false";
  if (schema.type != Schema::Type::boolean || !means_boolean) return {};
  return replace_raw(sources, at, at.text());
}

}  // namespace gpulint::rules::invalid_custom_resource

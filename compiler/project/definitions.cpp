#include "compiler/project/definitions.h"

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint {
namespace {

/// The rest of the first line after `at` that begins with `key`; empty if there is none.
[[nodiscard]] std::string_view value_after(std::string_view text, std::string_view key,
                                           std::size_t& at) {
  at = text.find(key, at);
  if (at == std::string_view::npos) return {};
  at += key.size();
  std::string_view value = text.substr(at, text.find('\n', at) - at);
  if (value.ends_with('\r')) value.remove_suffix(1);
  const bool is_plain = value.find_first_of("\"' #{&*!|>") == std::string_view::npos;
  return is_plain ? value : std::string_view{};
}

}  // namespace

bool is_definition(std::string_view document) {
  constexpr std::string_view line = "\nkind: CustomResourceDefinition";
  return document.starts_with(line.substr(1)) || has_text(document, line);
}

std::string defined_kind(std::string_view definition) {
  std::size_t at = 0;
  const std::string_view group = value_after(definition, "\n  group: ", at);
  if (group.empty()) return {};
  const std::string_view kind = value_after(definition, "\n    kind: ", at);
  return kind.empty() ? std::string() : fmt::format("{}/{}", group, kind);
}

void add_custom_kinds(const std::vector<KubernetesObject>& objects, std::set<std::string>& kinds) {
  for (const KubernetesObject& object : objects) {
    const std::string_view group = api_group(object.node.get("apiVersion").text());
    if (!group.empty()) kinds.insert(fmt::format("{}/{}", group, object.node.get("kind").text()));
  }
}

}  // namespace gpulint

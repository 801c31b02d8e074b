#include "frontend/variable_defaults.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/opaque.h"
#include "compiler/ir/variable.h"

namespace gpulint {
namespace {

/// A word, as values are: text with blanks outside of variables may be a script, whose variables
/// are those of a container.
[[nodiscard]] std::optional<std::string> expand(std::string_view text, int depth = 0) {
  constexpr int most_depth = 8;
  if (depth > most_depth) return std::nullopt;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto variable = variable_at(text, at)) {
      const auto inner = expand(variable->fallback, depth + 1);
      if (!inner || inner->empty()) return std::nullopt;
      result += *inner;
      at += variable->text.size();
      continue;
    }
    const bool is_blank = text[at] == ' ' || text[at] == '\t' || text[at] == '\n';
    if (is_blank && depth == 0) return std::nullopt;
    result += text[at++];
  }
  return result;
}

}  // namespace

void use_variable_defaults(Document& document) {
  for (NodeData& node : document.nodes) {
    const bool is_block = node.style == Style::literal || node.style == Style::folded;
    if (node.kind != NodeKind::scalar || !node.opaque || is_block) continue;
    if (node.text.find("${") == std::string_view::npos) continue;
    const auto expanded = expand(node.text);
    if (!expanded || has_placeholder(*expanded)) continue;
    node.text = document.strings.emplace_front(*expanded);
    node.opaque = false;
  }
}

}  // namespace gpulint

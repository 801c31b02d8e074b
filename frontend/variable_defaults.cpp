#include "frontend/variable_defaults.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/ir/opaque.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view leading_name(std::string_view text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin()));
}

/// `${NAME}` at an offset; empty if there is none.
[[nodiscard]] std::string_view plain_variable_at(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(offset);
  if (!rest.starts_with("${")) return {};
  const std::size_t size = 2 + leading_name(rest.substr(2)).size();
  const bool is_whole = size > 2 && rest.substr(size).starts_with('}');
  return is_whole ? rest.substr(0, size + 1) : std::string_view{};
}

/// One word, as values are: text with blanks outside of variables may be a script, whose variables
/// belong to a container.
class Expansion {
 public:
  explicit Expansion(const Substitutes& substitutes) : substitutes_(substitutes) {}

  [[nodiscard]] std::optional<std::string> expand(std::string_view text, int depth = 0) const {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const auto variable = variable_at(text, at);
      const std::string_view whole = variable ? variable->text : plain_variable_at(text, at);
      if (!whole.empty()) {
        const auto value = value_of(leading_name(whole.substr(2)),
                                    variable ? variable->fallback : std::string_view{}, depth);
        if (!value || value->empty()) return std::nullopt;
        result += *value;
        at += whole.size();
        continue;
      }
      const bool is_blank = text[at] == ' ' || text[at] == '\t' || text[at] == '\n';
      if (is_blank && depth == 0) return std::nullopt;
      result += text[at++];
    }
    return result;
  }

 private:
  [[nodiscard]] std::optional<std::string> value_of(std::string_view name,
                                                    std::string_view fallback, int depth) const {
    constexpr int most_depth = 8;
    const auto known = substitutes_.values.find(name);
    if (known != substitutes_.values.end()) return known->second;
    if (substitutes_.may_set_others || depth == most_depth) return std::nullopt;
    return expand(fallback, depth + 1);
  }

  const Substitutes& substitutes_;
};

}  // namespace

void use_variable_defaults(Document& document, const Substitutes& substitutes) {
  for (NodeData& node : document.nodes) {
    const bool is_block = node.style == Style::literal || node.style == Style::folded;
    if (node.kind != NodeKind::scalar || !node.opaque || is_block) continue;
    if (node.text.find("${") == std::string_view::npos) continue;
    const auto expanded = Expansion(substitutes).expand(node.text);
    if (!expanded || has_placeholder(*expanded)) continue;
    node.text = document.strings.emplace_front(*expanded);
    node.opaque = false;
  }
}

}  // namespace gpulint

#include "frontend/variable_defaults.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/ir/opaque.h"
#include "compiler/ir/variable.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view leading_name(std::string_view text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin()));
}

/// Adds the keys of the block that begins at `rest`: its lines are further to the right than
/// `indent`.
void add_keys(std::string_view rest, std::size_t indent, VariableNames& names) {
  while (!rest.empty()) {
    const std::string_view line = take_part(rest, '\n');
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    if (begin <= indent) return;
    const std::string_view name = leading_name(line.substr(begin));
    if (line.substr(begin + name.size()).starts_with(':')) names.emplace(name);
  }
}

/// A word, as values are: text with blanks outside of variables may be a script, whose variables
/// are those of a container.
[[nodiscard]] std::optional<std::string> expand(std::string_view text,
                                                const VariableNames& substituted, int depth = 0) {
  constexpr int most_depth = 8;
  if (depth > most_depth) return std::nullopt;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto variable = variable_at(text, at)) {
      if (substituted.contains(leading_name(variable->text.substr(2)))) return std::nullopt;
      const auto inner = expand(variable->fallback, substituted, depth + 1);
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

VariableNames substituted_variables(std::string_view text) {
  constexpr std::string_view key = "substitute:";
  constexpr std::string_view section = "postBuild";
  VariableNames names;
  // As `find`, which looks at every first letter: this runs over all inputs.
  if (memmem(text.data(), text.size(), section.data(), section.size()) == nullptr) return names;
  for (std::size_t at = text.find(key); at != std::string_view::npos;
       at = text.find(key, at + key.size())) {
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    std::string_view rest = text.substr(at + key.size());
    if (std::string_view flow = take_part(rest, '\n'); flow.find('{') != flow.npos) {
      flow = flow.substr(flow.find('{') + 1);
      while (!flow.empty()) {
        std::string_view entry = take_part(flow, ',');
        entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
        names.emplace(leading_name(entry));
      }
      continue;
    }
    add_keys(rest, at - line, names);
  }
  return names;
}

void use_variable_defaults(Document& document, const VariableNames& substituted) {
  for (NodeData& node : document.nodes) {
    const bool is_block = node.style == Style::literal || node.style == Style::folded;
    if (node.kind != NodeKind::scalar || !node.opaque || is_block) continue;
    if (node.text.find("${") == std::string_view::npos) continue;
    const auto expanded = expand(node.text, substituted);
    if (!expanded || has_placeholder(*expanded)) continue;
    node.text = document.strings.emplace_front(*expanded);
    node.opaque = false;
  }
}

}  // namespace gpulint

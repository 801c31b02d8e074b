#include "compiler/edit/yaml_text.h"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string scalar_text(Node scalar, const Rewrite& rewrite) {
  if (const auto other = rewrite ? rewrite(scalar) : std::nullopt) return yaml_string(*other);
  const auto value = read_kubernetes_scalar(scalar);
  const bool is_string = !value || value->type == KubernetesScalar::Type::string;
  if (is_string || scalar.style() != Style::plain) return yaml_string(scalar.text());
  return scalar.text().empty() ? "null" : std::string(scalar.text());
}

class BlockWriter {
 public:
  explicit BlockWriter(const Rewrite& rewrite) : rewrite_(rewrite) {}

  /// Recursive over the document's depth, which parsing bounds.
  void append(Node node, std::size_t indent, std::string& out) const {
    node = node.resolved();
    if (node.size() == 0 || node.is_scalar()) {
      out += " " + flow_text(node, rewrite_);
      return;
    }
    for (const auto& [key, value] : node.fields()) {
      out += fmt::format("\n{:{}}{}:", "", indent, yaml_string(key.text()));
      append(value, value.is_sequence() ? indent : indent + 2, out);
    }
    for (const Node item : node.items()) {
      std::string text;
      append(item, indent + 2, text);
      // The item's first line moves up behind its dash.
      const std::size_t first = text.find_first_not_of(" \n");
      out += fmt::format("\n{:{}}- {}", "", indent, text.substr(first));
    }
  }

 private:
  const Rewrite& rewrite_;
};

}  // namespace

std::string block_text(Node node, const Rewrite& rewrite) {
  std::string text;
  BlockWriter(rewrite).append(node, node.resolved().is_mapping() ? 2 : 0, text);
  return text.starts_with(' ') ? text.substr(1) : text;
}

std::string flow_text(Node node, const Rewrite& rewrite) {
  node = node.resolved();
  if (node.is_scalar()) return scalar_text(node, rewrite);
  std::string inner;
  for (const auto& [key, value] : node.fields()) {
    inner += fmt::format("{}{}: {}", inner.empty() ? "" : ", ", yaml_string(key.text()),
                         flow_text(value, rewrite));
  }
  for (const Node item : node.items()) {
    inner += (inner.empty() ? "" : ", ") + flow_text(item, rewrite);
  }
  return node.is_mapping() ? fmt::format("{{{}}}", inner) : fmt::format("[{}]", inner);
}

std::string entry_value(const SourceSet& sources, Node value, Style style) {
  const bool is_line =
      value.is_scalar() && value.style() != Style::literal && value.style() != Style::folded;
  if (is_line && sources.text(value.span()).find('\n') == std::string_view::npos) {
    return std::string(sources.text(value.span()));
  }
  return style == Style::flow ? flow_text(value) : block_text(value);
}

}  // namespace gpulint

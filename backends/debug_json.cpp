#include "backends/debug_json.h"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "backends/unicode.h"
#include "compiler/ir/key_path.h"
#include "compiler/ir/node.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view style_name(Style style) {
  switch (style) {
    case Style::single_quoted:
      return "'";
    case Style::double_quoted:
      return "\"";
    case Style::literal:
      return "|";
    case Style::folded:
      return ">";
    case Style::plain:
    case Style::block:
    case Style::flow:
      return "plain";
  }
  return "";
}

/// What stands for a key in a path: its text; for an alias its name; `?` for a collection.
[[nodiscard]] std::string key_part(Node key) {
  if (key.is_scalar()) return escape_pointer_segment(key.text());
  return key.is_alias() ? "*" + escape_pointer_segment(key.text()) : "?";
}

class SpanWriter {
 public:
  SpanWriter(const Document& document, std::ostream& out) : document_(document), out_(out) {}

  // Recursion is bounded by the nesting that the frontend lets through.
  void write(Node node, const std::string& path) {
    switch (node.kind()) {
      case NodeKind::scalar:
        write_scalar(node, path);
        break;
      case NodeKind::sequence:
        write_items(node, path);
        break;
      case NodeKind::mapping:
        write_entries(node, path);
        break;
      case NodeKind::alias:
      case NodeKind::none:
        break;
    }
  }

 private:
  void write_scalar(Node node, const std::string& path) {
    const Span span = node.span();
    const nlohmann::ordered_json row = {{"doc", document_.index},
                                        {"path", path},
                                        {"start", span.begin},
                                        {"end", span.end},
                                        {"style", style_name(node.style())},
                                        {"text", node.text()}};
    out_ << escape_hidden(row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
         << '\n';
  }

  void write_items(Node sequence, const std::string& path) {
    std::size_t index = 0;
    for (const Node item : sequence.children()) write(item, path + '/' + std::to_string(index++));
  }

  void write_entries(Node mapping, const std::string& path) {
    for (const Node::Entry& entry : mapping.entries()) {
      const std::string entry_path = path + '/' + key_part(entry.key);
      write(entry.key, entry_path + "#key");
      write(entry.value, entry_path);
    }
  }

  const Document& document_;
  std::ostream& out_;
};

}  // namespace

void write_spans(const Document& document, std::ostream& out) {
  SpanWriter(document, out).write(root(document), "");
}

}  // namespace gpulint

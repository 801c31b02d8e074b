#include "backends/debug_json.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/unicode.h"
#include "compiler/ir/key_path.h"
#include "compiler/ir/kubernetes_json.h"
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

/// A key as a part of a path: its text; for an alias its name; `?` for a collection.
[[nodiscard]] std::string key_part(Node key) {
  if (key.is_scalar()) return escape_pointer_segment(key.text());
  return key.is_alias() ? "*" + escape_pointer_segment(key.text()) : "?";
}

class SpanWriter {
 public:
  SpanWriter(const Document& document, std::ostream& out) : document_(document), out_(out) {}

  // recursion is bounded by the nesting that the frontend accepts
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

void complain(const SourceFile& file, Span where, std::string_view message, std::ostream& errors) {
  const Position at = file.position(where.begin);
  errors << fmt::format("{}:{}:{}: {}\n", file.path(), at.line, at.column, message);
}

[[nodiscard]] Span place_of(const KubernetesJson::Refusal& refusal, const Document& document) {
  if (refusal.node) return refusal.node.span();
  return document.errors.empty() ? document.span : document.errors.front().span;
}

/// A string's bytes in hexadecimal, a number as written; empty for other values.
[[nodiscard]] std::string literal_text(const python::Expression& value) {
  if (value.is(python::Expression::Kind::number)) return " number " + value.text;
  if (!value.is(python::Expression::Kind::string)) return {};
  std::string text = " string ";
  for (const char c : value.text) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

void write_keywords(const python::Expression& of, std::ostream& out) {
  const Span at = of.keyword.span;
  if (!of.keyword.text.empty() && of.keyword.text.front() != '*') {
    out << fmt::format("{} {} keyword {}{}\n", at.begin, at.end, of.keyword.text, literal_text(of));
  }
  for (const python::Expression& part : of.parts) write_keywords(part, out);
}

}  // namespace

bool write_kubernetes_json(const SourceFile& file, const Documents& documents, std::ostream& out,
                           std::ostream& errors) {
  bool is_done = true;
  for (const auto& document : documents) {
    const KubernetesJson json = to_kubernetes_json(*document);
    if (json.error) {
      complain(file, place_of(*json.error, *document), json.error->message, errors);
      is_done = false;
      continue;
    }
    out << escape_hidden(json.text) << '\n';
    if (json.strict_error) {
      complain(file, place_of(*json.strict_error, *document),
               "strict parsers reject this: " + json.strict_error->message, errors);
    }
    if (json.unstable)
      complain(file, document->span, "two keys become the same key; either value may win", errors);
  }
  if (documents.empty()) out << "null\n";
  return is_done;
}

bool write_all_spans(const SourceFile& file, const Documents& documents, std::ostream& out,
                     std::ostream& errors) {
  bool is_done = true;
  for (const auto& document : documents) {
    for (const SyntaxError& error : document->errors) {
      complain(file, error.span, error.message, errors);
      is_done = false;
    }
    SpanWriter(*document, out).write(root(*document), "");
  }
  return is_done;
}

void write_python_spans(const std::vector<python::Statement>& statements, std::ostream& out) {
  for (const python::Statement& each : statements) {
    write_keywords(each.value, out);
    for (const python::Expression& decorator : each.decorators) write_keywords(decorator, out);
    if (each.kind == python::Statement::Kind::function) {
      const Span at = each.name.span;
      out << fmt::format("{} {} function {} {}\n", at.begin, at.end, each.name.text,
                         each.decorators.size());
    }
    write_python_spans(each.body, out);
  }
}

}  // namespace gpulint

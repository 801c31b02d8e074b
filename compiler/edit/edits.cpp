#include "compiler/edit/edits.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/layout.h"
#include "compiler/ir/opaque.h"
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

[[nodiscard]] std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result.push_back('\'');
    result.push_back(c);
  }
  return result + "'";
}

/// A block scalar that keeps trailing line breaks (`|+`) ends the node: nothing may follow it.
[[nodiscard]] bool ends_in_kept_breaks(const Layout& layout, Node node) {
  Node last = node;
  while (last.is_mapping() || last.is_sequence()) {
    const std::vector<Node> children = last.children();
    if (children.empty()) return false;
    last = children.back();
  }
  if (last.style() != Style::literal && last.style() != Style::folded) return false;
  const std::string_view header = layout.text(last.span());
  return header.substr(0, header.find('\n')).find('+') != std::string_view::npos;
}

/// Where a block collection's last entry ends: the end of that line, its comment included.
[[nodiscard]] std::optional<std::uint32_t> end_of_block(const Layout& layout, Node collection) {
  if (ends_in_kept_breaks(layout, collection)) return std::nullopt;
  return layout.line_end(collection.span().end);
}

[[nodiscard]] std::string indent_lines(std::string_view block, std::string_view new_line) {
  std::string result;
  for (const char c : block) {
    if (c == '\n') {
      result += new_line;
    } else {
      result.push_back(c);
    }
  }
  return result;
}

[[nodiscard]] std::string key_text(const Layout& layout, std::string_view key) {
  return layout.is_json() ? double_quoted(key) : yaml_string(key);
}

/// `key: value`, the value's continuation lines indented.
[[nodiscard]] std::string entry_text(const Layout& layout, std::string_view key,
                                     std::string_view value, std::string_view new_line) {
  return fmt::format("{}:{}{}", key_text(layout, key),
                     value.empty() || value.starts_with('\n') ? "" : " ",
                     indent_lines(value, new_line));
}

/// What stands before another entry of a flow mapping: a line break where each entry has a line.
[[nodiscard]] std::string flow_separator(const Layout& layout, Node mapping) {
  const std::vector<Node::Entry> entries = mapping.entries();
  if (entries.empty()) return {};
  const std::uint32_t last = entries.back().key.begin_with_properties();
  return is_blank(layout.before_on_line(last)) ? "," + layout.new_line_aligned_with(last) : ", ";
}

/// Writes `lines`, which begin with a line break, into `key:`, `key: null` or an empty collection.
[[nodiscard]] std::vector<Edit> fill_empty(const Layout& layout, Node empty,
                                           const std::string& lines) {
  const Node own_key = empty.key();
  if (!own_key || own_key.parent().style() == Style::flow) return {};
  const std::uint32_t colon =
      static_cast<std::uint32_t>(layout.text().find(':', own_key.span().end));
  const Span rest = layout.span(colon + 1, layout.line_end(colon));
  if (empty.span().empty()) return {{layout.span(rest.end, rest.end), lines}};
  if (!layout.has_comment(rest)) {
    const Span before = layout.span(colon + 1, empty.span().begin);
    const std::uint32_t begin = is_blank(layout.text(before)) ? before.begin : empty.span().begin;
    return {{layout.span(begin, empty.span().end), lines}};
  }
  if (empty.span().end > rest.end) return {};
  return {{layout.span(colon + 1, empty.span().end), ""}, {layout.span(rest.end, rest.end), lines}};
}

/// The line break between a key and what is written below it; nothing where there is no key.
[[nodiscard]] std::string line_below(const Layout& layout, Node value) {
  return value.key() ? layout.new_line_aligned_with(value.key().span().begin) : std::string{};
}

/// A key stands once: one that has no value gets it, none is written beside another.
[[nodiscard]] std::vector<Edit> fill_entry(const Layout& layout, Node present,
                                           std::string_view value) {
  if (!present.is_null()) return {};
  if (value.starts_with('\n')) {
    return fill_empty(layout, present, indent_lines(value, line_below(layout, present)));
  }
  if (!present.span().empty()) return {{present.span(), std::string(value)}};
  const auto colon = static_cast<std::uint32_t>(layout.text().find(':', present.key().span().end));
  return {{layout.span(colon + 1, colon + 1), fmt::format(" {}", value)}};
}

/// A scalar that stands in a file as it reads: not a part of a JSON patch's path.
[[nodiscard]] bool is_verbatim(Node scalar) { return scalar.text() == scalar.written().text(); }

/// A scalar that reads as the default of a variable (`${X:=1}`), which something else may set.
[[nodiscard]] bool holds_variable(const Layout& layout, Node scalar) {
  const std::string_view written = layout.text(scalar.span());
  return variable_in(written, 0, written.size()).has_value();
}

[[nodiscard]] std::vector<Edit> remove_from_flow(const Layout& layout, Node value) {
  const Span entry = value.entry_span();
  const Span outer = value.parent().span();
  Span gone = entry;
  const std::string_view text = layout.text();
  std::size_t after = text.find_first_not_of(" \t\r\n", entry.end);
  if (after < outer.end && text[after] == ',') {
    gone.end = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.find_first_not_of(" \t", after + 1), outer.end - 1));
  } else {
    const std::size_t before = text.find_last_not_of(" \t\r\n", entry.begin - 1);
    if (before > outer.begin && text[before] == ',')
      gone.begin = static_cast<std::uint32_t>(before);
  }
  if (layout.has_comment(gone)) return {};
  return {{gone, ""}};
}

/// The only entry of a block collection: the collection becomes empty in place.
[[nodiscard]] std::vector<Edit> empty_collection(const Layout& layout, Node collection) {
  const std::string_view empty = collection.is_mapping() ? "{}" : "[]";
  Span gone = collection.span();
  if (collection.is_sequence()) {
    const std::size_t dash = layout.text().rfind('-', gone.begin);
    if (dash == std::string_view::npos) return {};
    gone.begin = std::min(gone.begin, static_cast<std::uint32_t>(dash));
  }
  if (layout.has_comment(gone)) return {};
  if (const Node key = collection.key()) {
    const std::size_t colon = layout.text().find(':', key.span().end);
    const auto after = static_cast<std::uint32_t>(colon + 1);
    if (after <= gone.begin && is_blank(layout.text(layout.span(after, gone.begin)))) {
      return {{layout.span(after, gone.end), fmt::format(" {}", empty)}};
    }
  }
  return {{gone, std::string(empty)}};
}

[[nodiscard]] std::vector<Edit> remove_from_block(const Layout& layout, Node value) {
  const Node collection = value.parent();
  const bool is_item = collection.is_sequence();
  std::uint32_t begin =
      is_item ? value.begin_with_properties() : value.key().begin_with_properties();
  if (is_item) {
    const auto dash = layout.dash_before(value);
    if (!dash) return {};
    begin = *dash;
  }
  const std::uint32_t end = value.entry_span().end;
  if (is_blank(layout.before_on_line(begin))) {
    const Span gone = layout.span(layout.line_begin(begin), layout.next_line(end));
    return {{gone, layout.kept_comments(gone, begin)}};
  }
  // `- name: x` and the like: what follows moves up to where the entry began.
  const std::vector<Node> siblings = collection.children();
  const auto at = std::ranges::find(siblings, value);
  if (at + 1 == siblings.end()) return {};
  const Span gone = layout.span(begin, (at + 1)->begin_with_properties());
  if (is_item || layout.has_comment(gone)) return {};
  return {{gone, ""}};
}

/// Text that is a file of its own, with comments that cannot stay without it.
[[nodiscard]] bool holds_commented_text(Node value) {
  return any_below(value, [](Node inner) {
    const bool is_text = inner.style() == Style::literal || inner.style() == Style::folded;
    return is_text && inner.text().find('#') != std::string_view::npos;
  });
}

/// Whether a value stands under its own key, not in the `value` of a JSON patch.
[[nodiscard]] bool is_under_own_key(Node value) {
  return value.key().written() == value.written().key();
}

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

std::string block_items(const std::vector<ListItem>& items, const std::string& new_line) {
  std::string text;
  for (const ListItem& entries : items) {
    text += fmt::format("{}- {}", new_line, fmt::join(entries, new_line + "  "));
  }
  return text;
}

std::string flow_items(const std::vector<ListItem>& items) {
  std::string text;
  for (const ListItem& entries : items) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", fmt::join(entries, ", "));
  }
  return text;
}

bool holds_anchor(Node node) {
  return any_below(node, [](Node inner) { return !inner.anchor().empty(); });
}

std::string written_string(Node near, std::string_view text) {
  const Node written = near.written();
  const bool is_json = written.document() != nullptr && written.document()->is_json;
  return is_json ? double_quoted(text) : yaml_string(text);
}

std::vector<Edit> replace_string(const SourceSet& sources, Node scalar, std::string_view value) {
  if (!is_verbatim(scalar)) return {};
  scalar = scalar.written();
  const Layout layout(sources, scalar);
  if (!scalar.is_scalar() || holds_variable(layout, scalar) || scalar.span().empty()) return {};
  std::string text;
  switch (scalar.style()) {
    case Style::plain:
      text = layout.is_json() ? double_quoted(value) : yaml_string(value);
      break;
    case Style::single_quoted:
      text = single_quoted(value);
      break;
    case Style::double_quoted:
      text = double_quoted(value);
      break;
    default:
      return {};
  }
  const std::string_view written = layout.text(scalar.span());
  if (!layout.editable() && !(layout.is_same_in_host(written) && layout.is_same_in_host(text))) {
    return {};
  }
  return {{scalar.span(), std::move(text)}};
}

std::vector<Edit> replace_raw(const SourceSet& sources, Node scalar, std::string_view text) {
  if (!is_verbatim(scalar)) return {};
  scalar = scalar.written();
  const Layout layout(sources, scalar);
  if (!layout.editable() || scalar.span().empty() || holds_variable(layout, scalar)) return {};
  return {{scalar.span(), std::string(text)}};
}

std::vector<Edit> quote(const SourceSet& sources, Node scalar) {
  if (!is_verbatim(scalar)) return {};
  scalar = scalar.written();
  const Layout layout(sources, scalar);
  if (!layout.editable() || !scalar.is_scalar() || scalar.style() != Style::plain) return {};
  const std::string_view written = layout.text(scalar.span());
  if (written.find('\n') != std::string_view::npos) return {};
  const bool needs_blank =
      written.empty() && scalar.span().begin > 0 && layout.text()[scalar.span().begin - 1] == ':';
  return {{scalar.span(), (needs_blank ? " " : "") + double_quoted(written)}};
}

std::vector<Edit> rename_to_list(const SourceSet& sources, Node scalar, std::string_view key) {
  if (scalar.style() == Style::literal || scalar.style() == Style::folded) return {};
  std::vector<Edit> edits = replace_string(sources, scalar.key(), key);
  const std::vector<Edit> list =
      replace_raw(sources, scalar, fmt::format("[{}]", sources.text(scalar.span())));
  if (edits.empty() || list.empty()) return {};
  edits.push_back(list.front());
  return edits;
}

std::vector<Edit> insert_entry(const SourceSet& sources, Node mapping, std::string_view key,
                               std::string_view value) {
  if (!mapping) return {};
  mapping = mapping.written();
  const Layout layout(sources, mapping);
  if (!layout.editable()) return {};
  const std::string below = line_below(layout, mapping) + "  ";
  const auto fill = [&] {
    return fill_empty(layout, mapping, below + entry_text(layout, key, value, below));
  };
  if (mapping.is_null()) return fill();
  if (!mapping.is_mapping()) return {};
  const std::vector<Node> children = mapping.children();
  const auto present = std::ranges::find(
      children, key, [](Node child) -> std::string_view { return child.key().text(); });
  if (present != children.end()) return fill_entry(layout, *present, value);
  if (mapping.style() == Style::flow) {
    if (value.find('\n') != std::string_view::npos) {
      return children.empty() && !layout.has_comment(mapping.span()) ? fill() : std::vector<Edit>{};
    }
    const std::uint32_t at =
        children.empty() ? mapping.span().begin + 1 : children.back().span().end;
    return {{layout.span(at, at),
             flow_separator(layout, mapping) + entry_text(layout, key, value, "")}};
  }
  const auto at = end_of_block(layout, mapping);
  if (!at || children.empty()) return {};
  const std::string new_line =
      layout.new_line_aligned_with(children.front().begin_with_properties());
  return {{layout.span(*at, *at), new_line + entry_text(layout, key, value, new_line)}};
}

std::vector<Edit> insert_flow_map(const SourceSet& sources, Node mapping, std::string_view key,
                                  std::string_view inner_key, std::string_view inner_value) {
  mapping = mapping.written();
  const Layout layout(sources, mapping);
  return insert_entry(sources, mapping, key,
                      fmt::format("{{{}: {}}}", key_text(layout, inner_key), inner_value));
}

std::vector<Edit> insert_before(const SourceSet& sources, Node next, std::string_view key,
                                std::string_view value) {
  if (!is_under_own_key(next)) return {};
  next = next.written();
  const Layout layout(sources, next);
  if (!layout.editable() || !next.key()) return {};
  const std::uint32_t at = next.key().begin_with_properties();
  if (next.parent().style() == Style::flow) {
    if (value.find('\n') != std::string_view::npos) return {};
    return {{layout.span(at, at), entry_text(layout, key, value, "") + ", "}};
  }
  const std::uint32_t line = layout.line_begin(at);
  const std::uint32_t above = line == 0 ? 0 : layout.line_begin(line - 1);
  if (layout.has_comment(layout.span(above, line)) || !is_blank(layout.before_on_line(at))) {
    return insert_entry(sources, next.parent(), key, value);
  }
  const std::string new_line = layout.new_line_aligned_with(at);
  return {{layout.span(at, at), entry_text(layout, key, value, new_line) + new_line}};
}

std::vector<Edit> nest_from(const SourceSet& sources, Node first, std::string_view key) {
  if (!is_under_own_key(first)) return {};
  first = first.written();
  const Layout layout(sources, first);
  const Node mapping = first.parent();
  if (!layout.editable() || !first.key() || holds_anchor(mapping)) return {};
  const std::uint32_t begin = first.key().begin_with_properties();
  const std::uint32_t end = mapping.children().back().span().end;
  if (mapping.style() == Style::flow) {
    return {{layout.span(begin, begin), key_text(layout, key) + ": {"},
            {layout.span(end, end), "}"}};
  }
  if (!is_blank(layout.before_on_line(begin))) return {};
  const std::string new_line = layout.new_line_aligned_with(begin) + "  ";
  std::vector<Edit> edits{{layout.span(begin, begin), key_text(layout, key) + ":" + new_line}};
  for (std::uint32_t at = layout.next_line(begin); at < end; at = layout.next_line(at)) {
    if (is_blank(layout.text(layout.span(at, layout.line_end(at))))) continue;
    edits.push_back({layout.span(at, at), "  "});
  }
  return edits;
}

std::vector<Edit> append_item(const SourceSet& sources, Node sequence, const ListItem& item) {
  return append_items(sources, sequence, {item});
}

std::vector<Edit> append_items(const SourceSet& sources, Node sequence,
                               const std::vector<ListItem>& added) {
  sequence = sequence.written();
  const Layout layout(sources, sequence);
  if (layout.editable() && sequence.is_null()) {
    const std::string below = line_below(layout, sequence);
    return fill_empty(layout, sequence, block_items(added, below));
  }
  if (!layout.editable() || !sequence.is_sequence()) return {};
  const std::vector<Node> items = sequence.children();
  if (sequence.style() == Style::flow) {
    const std::uint32_t at = items.empty() ? sequence.span().begin + 1 : items.back().span().end;
    return {{layout.span(at, at), (items.empty() ? "" : ", ") + flow_items(added)}};
  }
  const auto at = end_of_block(layout, sequence);
  if (!at || items.empty()) return {};
  const auto dash = layout.dash_before(items.front());
  if (!dash) return {};
  return {{layout.span(*at, *at), block_items(added, layout.new_line_aligned_with(*dash))}};
}

std::vector<Edit> append_items_of(const SourceSet& sources, Node sequence, Node source) {
  sequence = sequence.written();
  source = source.written();
  const Layout layout(sources, sequence);
  const std::vector<Node> items = source.children();
  if (!layout.editable() || items.empty() || holds_anchor(source)) return {};
  if (sequence.kind() != source.kind() || sequence.style() != source.style()) return {};
  const Span body{source.span().file, items.front().begin_with_properties(),
                  items.back().span().end};
  if (sequence.style() == Style::flow) {
    if (layout.has_comment(body) || sequence.size() == 0) return {};
    const std::uint32_t at = sequence.children().back().span().end;
    return {{layout.span(at, at), fmt::format(", {}", layout.text(body))}};
  }
  const auto at = end_of_block(layout, sequence);
  const auto dash = layout.dash_before(sequence.children().front());
  const auto source_dash = layout.dash_before(items.front());
  if (!at || !dash || !source_dash) return {};
  const std::string text = layout.without_comments(layout.span(*source_dash, body.end));
  const std::string own_indent = layout.new_line_aligned_with(*source_dash);
  std::string moved = layout.new_line_aligned_with(*dash);
  const std::size_t indent = own_indent.size() - layout.line_break().size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    moved.push_back(text[i]);
    if (text[i] != '\n') continue;
    moved += layout.new_line_aligned_with(*dash).substr(layout.line_break().size());
    i += std::min(indent, text.find_first_not_of(' ', i + 1) - i - 1);
  }
  return {{layout.span(*at, *at), moved}};
}

std::vector<Edit> remove_entry(const SourceSet& sources, Node value) {
  if (!is_under_own_key(value)) return {};
  value = value.written();
  const Layout layout(sources, value);
  const Node collection = value.parent();
  if (!layout.editable() || !collection || holds_anchor(value)) return {};
  if (holds_commented_text(value)) return {};
  if (collection.is_mapping() && !value.key()) return {};
  if (collection.style() == Style::flow) return remove_from_flow(layout, value);
  if (collection.size() == 1) return empty_collection(layout, collection);
  return remove_from_block(layout, value);
}

}  // namespace gpulint

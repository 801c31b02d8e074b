#include "tests/harness/yaml_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "frontend/yaml_parser.h"

namespace gpulint::test {
namespace {

using Type = KubernetesScalar::Type;
using Layout = Writing::Layout;
using Quotes = Writing::Quotes;

constexpr std::string_view core_tag = "tag:yaml.org,2002:";

[[nodiscard]] bool is_plain_word(std::string_view text) {
  constexpr std::array<std::string_view, 14> special = {
      "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "t", "f", "none"};
  std::string lower;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && std::string_view("_-./").find(c) == std::string_view::npos) {
      return false;
    }
    lower += static_cast<char>(std::tolower(byte));
  }
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::find(special, lower) == special.end();
}

[[nodiscard]] bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

[[nodiscard]] std::string double_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

[[nodiscard]] std::string single_quoted(std::string_view text) {
  if (!is_printable(text)) return double_quoted(text);
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + '\'';
}

[[nodiscard]] bool is_block_scalar(const Tree& tree) {
  return tree.style == Style::literal || tree.style == Style::folded;
}

/// Whether the text can be written literally, line by line.
[[nodiscard]] bool fits_literal(const Tree& tree) {
  const bool is_empty = tree.text.find_first_not_of('\n') == std::string::npos;
  if (!is_block_scalar(tree) || is_empty) return false;
  std::string lines = tree.text;
  std::erase(lines, '\n');
  std::erase(lines, '\t');
  return is_printable(lines) && tree.text.front() != ' ' && tree.text.front() != '\n' &&
         tree.text.front() != '\t';
}

class Writer {
 public:
  explicit Writer(const Writing& writing) : writing_(writing) {}

  [[nodiscard]] std::string write(const Tree& tree) {
    if (writing_.layout == Layout::json) {
      write_json(tree, 0);
    } else if (writing_.layout == Layout::flow || !is_block(tree)) {
      write_inline(tree);
    } else {
      write_root(tree);
    }
    if (!out_.ends_with('\n')) out_ += '\n';
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_block(const Tree& tree) const {
    return writing_.layout == Layout::block && !tree.children.empty();
  }

  void write_root(const Tree& tree) {
    if (const std::string properties = properties_of(tree); !properties.empty()) {
      out_ += "--- " + properties + "\n";
    }
    write_block(tree, 0);
  }

  [[nodiscard]] static std::string properties_of(const Tree& tree) {
    std::string properties = tree.tag;
    if (!tree.anchor.empty()) properties += (properties.empty() ? "&" : " &") + tree.anchor;
    return properties;
  }

  /// The lines of a block collection, the first of them indented, too.
  void write_block(const Tree& tree, std::size_t column, bool is_begun = false) {
    const bool is_mapping = tree.kind == NodeKind::mapping;
    for (std::size_t i = 0; i < tree.children.size(); i += is_mapping ? 2 : 1) {
      if (!is_begun) out_.append(column, ' ');
      is_begun = false;
      if (is_mapping) {
        write_key(tree.children[i]);
        write_below(tree.children[i + 1], column);
      } else {
        write_item(tree.children[i], column);
      }
    }
  }

  void write_key(const Tree& key) {
    out_ += properties_of(key);
    if (!properties_of(key).empty()) out_ += ' ';
    out_ += key.kind == NodeKind::alias ? "*" + key.text + " " : scalar_text(key);
    out_ += ':';
  }

  /// What stands behind `key:` or, one level deeper, below it.
  void write_below(const Tree& value, std::size_t column) {
    const std::string properties = properties_of(value);
    if (!properties.empty()) out_ += " " + properties;
    if (is_block(value)) {
      out_ += '\n';
      const bool is_flush =
          value.kind == NodeKind::sequence && writing_.lists == Writing::Lists::flush;
      return write_block(value, is_flush ? column : column + writing_.indent);
    }
    write_rest(value, column + writing_.indent);
  }

  void write_item(const Tree& item, std::size_t column) {
    out_ += '-';
    const std::string properties = properties_of(item);
    if (!properties.empty()) out_ += " " + properties;
    if (!is_block(item)) return write_rest(item, column + 2);
    out_ += properties.empty() ? ' ' : '\n';
    write_block(item, column + 2, properties.empty());
  }

  /// Of a value in block style what is no collection with children; its properties are written.
  void write_rest(const Tree& value, std::size_t column) {
    if (writing_.quotes == Quotes::as_read && value.kind == NodeKind::scalar &&
        fits_literal(value)) {
      return write_literal(value.text, column);
    }
    const std::size_t before = out_.size();
    write_bare(value);
    if (out_.size() > before) out_.insert(before, " ");
    out_ += '\n';
  }

  void write_literal(std::string_view text, std::size_t column) {
    const std::size_t last = text.find_last_not_of('\n');
    const std::size_t breaks = text.size() - last - 1;
    out_ += breaks == 0 ? " |-\n" : breaks == 1 ? " |\n" : " |+\n";
    if (breaks > 0) text.remove_suffix(1);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (end > begin) out_.append(column, ' ').append(text.substr(begin, end - begin));
      out_ += '\n';
      begin = end + 1;
    }
  }

  void write_inline(const Tree& tree) {
    const std::string properties = properties_of(tree);
    if (!properties.empty()) out_ += properties + " ";
    write_bare(tree);
  }

  void write_bare(const Tree& tree) {
    if (tree.kind == NodeKind::alias) {
      out_ += "*" + tree.text;
    } else if (tree.kind == NodeKind::scalar) {
      out_ += scalar_text(tree);
    } else {
      write_flow(tree);
    }
  }

  void write_flow(const Tree& tree) {
    const bool is_mapping = tree.kind == NodeKind::mapping;
    out_ += is_mapping ? '{' : '[';
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      if (is_mapping && i % 2 == 0) {
        if (i > 0) out_ += ", ";
        write_key(tree.children[i]);
        continue;
      }
      if (is_mapping || i > 0) out_ += is_mapping ? " " : ", ";
      write_inline(tree.children[i]);
      if (tree.children[i].kind == NodeKind::alias) out_ += ' ';
    }
    out_ += is_mapping ? '}' : ']';
  }

  [[nodiscard]] std::string scalar_text(const Tree& tree) const {
    const bool merges = tree.style == Style::plain && tree.text == "<<";
    const bool may_change = tree.tag.empty() && tree.is_string() && !merges;
    switch (may_change ? writing_.quotes : Quotes::as_read) {
      case Quotes::single_quoted:
        return single_quoted(tree.text);
      case Quotes::double_quoted:
        return double_quoted(tree.text);
      case Quotes::none:
        if (is_plain_word(tree.text)) return tree.text;
        break;
      case Quotes::as_read:
        break;
    }
    if (tree.style == Style::single_quoted) return single_quoted(tree.text);
    if (tree.style != Style::plain) return double_quoted(tree.text);
    if (writing_.layout == Layout::flow) {
      if (tree.text.empty()) return "null";
      if (tree.text.find_first_of(",[]{}:") != std::string::npos && tree.is_string()) {
        return double_quoted(tree.text);
      }
    }
    return is_printable(tree.text) ? tree.text : double_quoted(tree.text);
  }

  void write_json(const Tree& tree, std::size_t column) {
    if (tree.kind == NodeKind::scalar) {
      out_ += tree.is_string() ? double_quoted(tree.text) : tree.json;
      return;
    }
    const bool is_mapping = tree.kind == NodeKind::mapping;
    const auto new_line = [&](std::size_t indent) {
      if (writing_.indent > 0) out_.append("\n").append(indent, ' ');
    };
    out_ += is_mapping ? '{' : '[';
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      if (is_mapping && i % 2 == 1) {
        out_ += writing_.indent > 0 ? ": " : ":";
      } else {
        if (i > 0) out_ += ',';
        new_line(column + writing_.indent);
      }
      if (is_mapping && i % 2 == 0) {
        out_ += double_quoted(tree.children[i].json);
      } else {
        write_json(tree.children[i], column + writing_.indent);
      }
    }
    if (!tree.children.empty()) new_line(column);
    out_ += is_mapping ? '}' : ']';
  }

  const Writing& writing_;
  std::string out_;
};

/// Null where it cannot be written again.
[[nodiscard]] std::optional<Tree> read_tree(Node node) {
  Tree tree{.kind = node.kind(),
            .style = node.style(),
            .text = std::string(node.text()),
            .anchor = std::string(node.anchor()),
            .tag = std::string(node.tag()),
            .json = {},
            .children = {}};
  if (tree.tag.starts_with(core_tag)) tree.tag = "!!" + tree.tag.substr(core_tag.size());
  if (node.is_scalar()) {
    const auto read = read_kubernetes_scalar(node);
    if (!read) return std::nullopt;
    tree.type = read->type;
    tree.json = read->text;
    return tree;
  }
  for (const Node child : node.children()) {
    std::optional<Tree> inner = read_tree(child);
    if (!inner) return std::nullopt;
    const bool is_key = node.is_mapping() && tree.children.size() % 2 == 0;
    if (is_key && (inner->kind != NodeKind::scalar || is_block_scalar(*inner))) return std::nullopt;
    tree.children.push_back(std::move(*inner));
  }
  return tree;
}

[[nodiscard]] bool speaks_to_gpulint(const Document& document, std::string_view text) {
  return std::ranges::any_of(document.comments, [&](Span span) {
    return text.substr(span.begin, span.size()).find("gpulint") != std::string_view::npos;
  });
}

void write_meaning(Node node, std::string& out) {
  if (node.is_alias()) {
    out += fmt::format("*{} ", node.text());
  } else if (node.is_scalar()) {
    const auto read = read_kubernetes_scalar(node);
    const int type = read ? static_cast<int>(read->type) : -1;
    out += fmt::format("{}{} ", type, read ? double_quoted(read->text) : "");
  } else if (node.is_mapping()) {
    std::vector<std::string> entries;
    for (const auto& [key, value] : node.entries()) {
      std::string& entry = entries.emplace_back();
      const bool merges = key.style() == Style::plain && key.text() == "<<";
      entry = merges ? "<<: " : double_quoted(read_kubernetes_key(key).value_or("?")) + ": ";
      write_meaning(value, entry);
    }
    std::ranges::stable_sort(entries);
    out += fmt::format("{{{}}}", fmt::join(entries, ""));
  } else {
    out += '[';
    for (const Node child : node.children()) write_meaning(child, out);
    out += ']';
  }
}

}  // namespace

const Tree* Tree::get(std::string_view key) const {
  if (kind != NodeKind::mapping) return nullptr;
  for (std::size_t i = 0; i < children.size(); i += 2) {
    if (children[i].text == key) return &children[i + 1];
  }
  return nullptr;
}

Tree make_string(std::string text) {
  const Style style = is_plain_word(text) ? Style::plain : Style::double_quoted;
  return {.kind = NodeKind::scalar,
          .style = style,
          .text = text,
          .anchor = {},
          .tag = {},
          .json = text,
          .children = {}};
}

std::optional<std::vector<Tree>> read_trees(std::string_view text) {
  const SourceFile file(0, "input.yaml", std::string(text));
  std::vector<Tree> trees;
  for (const auto& document : parse_file(file)) {
    const bool is_readable = document->errors.empty() && !document->is_template &&
                             !document->has_masked_placeholders &&
                             !speaks_to_gpulint(*document, file.text());
    if (!is_readable) return std::nullopt;
    const Node node = root(*document);
    if (!node || node.is_null()) continue;
    std::optional<Tree> tree = read_tree(node);
    if (!tree) return std::nullopt;
    trees.push_back(std::move(*tree));
  }
  return trees;
}

std::string write_documents(const std::vector<Tree>& documents, const Writing& writing) {
  std::string text;
  for (const Tree& document : documents) {
    if (!text.empty()) text += writing.separator;
    text += Writer(writing).write(document);
  }
  return text;
}

std::vector<std::string> meaning_of(std::string_view text) {
  const SourceFile file(0, "input.yaml", std::string(text));
  std::vector<std::string> meaning;
  for (const auto& document : parse_file(file)) {
    const Node node = root(*document);
    if (!document->errors.empty()) {
      meaning.push_back("error: " + document->errors.front().message);
    } else if (node && !node.is_null()) {
      write_meaning(node, meaning.emplace_back());
    }
  }
  return meaning;
}

}  // namespace gpulint::test

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/ir/scalar.h"

namespace gpulint::test {

/// A YAML value to alter and to write anew, apart from any file.
struct Tree {
  NodeKind kind = NodeKind::none;
  Style style = Style::plain;
  std::string text;  ///< Decoded; of an alias its name.
  std::string anchor;
  std::string tag;                                               ///< `!!str`, `!x`; empty without.
  KubernetesScalar::Type type = KubernetesScalar::Type::string;  ///< Of a scalar.
  std::string json;  ///< Of a scalar: the text that Kubernetes makes of it, without quotes.
  std::vector<Tree> children;  ///< Items; of a mapping key, value, key, value.

  [[nodiscard]] bool is_string() const { return type == KubernetesScalar::Type::string; }
  /// The value of a mapping's key, null where there is none.
  [[nodiscard]] const Tree* get(std::string_view key) const;
  friend bool operator==(const Tree&, const Tree&) = default;
};

/// A new string, quoted if need be.
[[nodiscard]] Tree make_string(std::string text);

/// The documents of a text as trees, those without content left out. Nothing where one has errors,
/// is a template, was read with placeholders masked, speaks to gpulint in a comment (which would
/// be lost), or holds what write_documents() cannot write.
[[nodiscard]] std::optional<std::vector<Tree>> read_trees(std::string_view text);

/// Calls `visit(Tree&)` for the tree and all below it but keys, parents first.
template <class Visit>
void visit_values(Tree& tree, const Visit& visit) {
  visit(tree);
  const std::size_t step = tree.kind == NodeKind::mapping ? 2 : 1;
  for (std::size_t i = step - 1; i < tree.children.size(); i += step) {
    visit_values(tree.children[i], visit);
  }
}

/// Calls `visit(const Tree&)` for the tree and all below it, keys included.
template <class Visit>
void visit_all(const Tree& tree, const Visit& visit) {
  visit(tree);
  for (const Tree& child : tree.children) visit_all(child, visit);
}

/// How trees are written.
struct Writing {
  enum class Layout : std::uint8_t { block, flow, json } layout = Layout::block;
  enum class Quotes : std::uint8_t {
    as_read,
    single_quoted,
    double_quoted,
    none,  ///< Plain where nobody could take the string for anything else.
  } quotes = Quotes::as_read;
  std::size_t indent = 2;
  enum class Lists : std::uint8_t { flush, indented } lists = Lists::flush;
  std::string_view separator = "---\n";  ///< Between documents.
};
[[nodiscard]] std::string write_documents(const std::vector<Tree>& documents,
                                          const Writing& writing);

/// What a text says to Kubernetes, whatever the style: one line a document, keys sorted, aliases
/// and merge keys as references.
[[nodiscard]] std::vector<std::string> meaning_of(std::string_view text);

}  // namespace gpulint::test

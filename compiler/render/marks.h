#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint::render {

/// Texts that replace sources in one rendering, by their index.
using Changed = std::map<std::size_t, std::string>;

/// A scalar, or a key, of a file with values.
struct Leaf {
  enum class Kind : std::uint8_t { text, number, key };
  std::size_t source = 0;  ///< The index of its file.
  Node node;               ///< A key's node for Kind::key.
  Kind kind = Kind::text;
};

/// Whether the text is a number or a quantity such as `16Gi`, which a mark replaces.
[[nodiscard]] bool is_markable_number(std::string_view text);

/// Whether a scalar is true, false or null: another text is another branch of the templates.
[[nodiscard]] bool is_switch(Node scalar);

/// Leaves with a mark each. Texts get a suffix, which passes as a part of a name, a label, an image
/// and an address; numbers become numbers of five digits that are also ports.
class Marks {
 public:
  /// `sources`: their texts. All leaves must be in them.
  Marks(std::vector<std::string_view> sources, std::vector<Leaf> leaves);

  [[nodiscard]] std::size_t size() const { return leaves_.size(); }
  [[nodiscard]] const Leaf& leaf(std::size_t i) const { return leaves_[i]; }
  /// The sources with the marks of some leaves.
  [[nodiscard]] Changed texts(std::span<const std::size_t> chosen) const;
  /// The leaves whose marks are in `text` and not in `plain`, each once, in order.
  [[nodiscard]] std::vector<std::size_t> find(std::string_view text, std::string_view plain) const;
  /// The text without marks.
  [[nodiscard]] std::string without(std::string_view text) const;
  /// The leaf's text with its mark, as a template sees it.
  [[nodiscard]] std::string marked(std::size_t i) const;

 private:
  std::vector<std::string_view> sources_;
  std::vector<Leaf> leaves_;
};

}  // namespace gpulint::render

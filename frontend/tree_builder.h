#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "frontend/token_reader.h"

namespace gpulint {

/// Turns a parser's events into a Document's arena and finds the exact extent of every node in the
/// text. Starts are byte offsets into the text; anchors are numbered from 1 by the parser.
class TreeBuilder {
 public:
  /// The tree is built into `document`; `text` must stay alive as long as it does.
  TreeBuilder(Document& document, std::string_view text, Extent range);

  void add_null(std::size_t anchor);
  void add_alias(std::uint32_t start, std::size_t anchor);
  /// `tag` as the parser resolved it; only looked at where the text has a tag.
  void add_scalar(std::uint32_t start, std::size_t anchor, std::string_view tag,
                  std::string_view value);
  enum class Properties : bool { absent, present };
  void begin_collection(NodeKind kind, std::uint32_t start, std::size_t anchor,
                        std::string_view tag, Properties properties);
  void end_collection();
  /// Takes the comments behind the last node; closes what a syntax error left open.
  void finish();

  [[nodiscard]] bool has_root() const { return document_->root != no_node; }

 private:
  struct Frame {
    NodeIndex node = no_node;
    NodeIndex last_child = no_node;
    bool has_bracket = false;
  };

  [[nodiscard]] NodeIndex add_node(NodeKind kind, std::size_t anchor);
  void link(NodeIndex index);
  void set_properties(NodeIndex index, const WrittenProperties& written, std::string_view tag);
  [[nodiscard]] std::string_view keep(std::string_view value);
  /// Moves over the indicators that stand before the next node: `-`, `?`, `:`, `,`.
  void skip_indicators();

  Document* document_;
  TokenReader reader_;
  std::vector<Frame> open_;
  std::vector<NodeIndex> anchored_;  // by anchor number
};

}  // namespace gpulint

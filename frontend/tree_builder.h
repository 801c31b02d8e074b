#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/ir/document.h"
#include "frontend/directives.h"
#include "frontend/open_node.h"
#include "frontend/token_reader.h"

namespace gpulint {

/// Turns a parser's events into a Document's arena and finds the exact extent of every node in the
/// text. Starts are byte offsets into the text; the parser numbers anchors from 1. What YAML 1.1
/// rejects but the parser accepts becomes an error of the document.
class TreeBuilder {
 public:
  /// The parser's input: the text itself, or the result of mask_properties().
  enum class Reading : bool { direct, masked };

  /// Builds the tree into `document`; `text` must outlive it.
  TreeBuilder(Document& document, std::string_view text, Extent range, TagHandles handles,
              Reading reading);

  void add_null(std::size_t anchor);
  void add_alias(std::uint32_t start, std::size_t anchor);
  void add_scalar(std::uint32_t start, std::size_t anchor, std::string_view value);
  enum class Properties : bool { absent, present };
  void begin_collection(NodeKind kind, std::uint32_t start, std::size_t anchor,
                        Properties properties);
  void end_collection();
  /// Reads the comments after the last node; closes collections that a syntax error left open.
  void finish();

  /// The end of what was read.
  [[nodiscard]] std::uint32_t at() const { return reader_.at(); }
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

 private:
  struct Frame : OpenNode {
    bool has_bracket = false;
    bool is_flow = false;
  };

  [[nodiscard]] NodeData& node(NodeIndex index) { return document_->nodes[index]; }
  [[nodiscard]] NodeIndex add(NodeKind kind, std::size_t anchor);
  void set_properties(NodeIndex index, const WrittenProperties& written);
  [[nodiscard]] std::string_view keep(std::string_view value);
  void set_scalar(NodeIndex index, const WrittenScalar& scalar, std::string_view value);
  /// An alias that the parser read as the plain scalar `value`.
  void add_masked_alias(std::uint32_t start, std::string_view value);
  [[nodiscard]] std::string_view resolve_tag(const WrittenProperties& written);
  [[nodiscard]] bool in_flow() const { return !open_.empty() && open_.back().is_flow; }
  /// Moves over the indicators before a node without text; returns true if it has one of its own.
  [[nodiscard]] bool read_null_indicators(NodeIndex index, std::uint32_t& place);
  /// Passes the innermost open collection to the reader.
  void enter_collection();
  void check_masked_properties(const WrittenProperties& written, std::uint32_t start);
  [[nodiscard]] bool starts_empty_scalar(const WrittenProperties& written) const;
  void check_missing_colon(NodeIndex value);
  void check_empty_node(NodeIndex index, bool has_indicator);
  void check_plain_scalar(const WrittenScalar& scalar);
  void note_alias(NodeIndex index);
  void check_indentation(NodeIndex value, std::uint32_t begin);
  void mark_placeholder_mapping(NodeIndex index);

  Document* document_;
  TagHandles handles_;
  TokenReader reader_;
  Reading reading_;
  std::vector<Frame> open_;
  std::vector<NodeIndex> anchored_;                        // by anchor number
  std::unordered_map<std::string_view, NodeIndex> named_;  // by anchor, the last; of masked text
};

}  // namespace gpulint

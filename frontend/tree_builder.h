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
/// text. Starts are byte offsets into the text; anchors are numbered from 1 by the parser. What
/// YAML 1.1 refuses although the parser does not becomes an error of the document.
class TreeBuilder {
 public:
  /// What the parser was given: the text itself, or what mask_properties() made of it.
  enum class Reading : bool { direct, masked };

  /// The tree is built into `document`; `text` must stay alive as long as it does.
  TreeBuilder(Document& document, std::string_view text, Extent range, TagHandles handles,
              Reading reading);

  void add_null(std::size_t anchor);
  void add_alias(std::uint32_t start, std::size_t anchor);
  void add_scalar(std::uint32_t start, std::size_t anchor, std::string_view value);
  enum class Properties : bool { absent, present };
  void begin_collection(NodeKind kind, std::uint32_t start, std::size_t anchor,
                        Properties properties);
  void end_collection();
  /// Takes the comments behind the last node; closes what a syntax error left open.
  void finish();

  /// How far the text has been understood.
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
  /// An alias that the parser took for the plain scalar `value`.
  void add_masked_alias(std::uint32_t start, std::string_view value);
  [[nodiscard]] std::string_view resolve_tag(const WrittenProperties& written);
  [[nodiscard]] bool in_flow() const { return !open_.empty() && open_.back().is_flow; }
  /// Moves over the indicators before a node without text; true where it has one of its own.
  [[nodiscard]] bool read_null_indicators(NodeIndex index, std::uint32_t& place);
  /// Tells the reader what is open now.
  void enter_collection();
  void check_masked_properties(const WrittenProperties& written, std::uint32_t start);
  [[nodiscard]] bool starts_empty_scalar(const WrittenProperties& written) const;
  void check_missing_colon(NodeIndex value);
  void check_empty_node(NodeIndex index, bool has_indicator);
  void check_plain_scalar(const WrittenScalar& scalar);
  void check_alias(NodeIndex index);
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

#include "frontend/yaml_events.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <istream>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "frontend/limits.h"
#include "frontend/line_scanner.h"
#include "frontend/token_reader.h"
#include "frontend/tree_builder.h"

namespace gpulint {
namespace {

struct Wording {
  std::string_view parser;
  std::string_view ours;
};

constexpr std::array<Wording, 21> wordings{{
    {"alias not found after *", "the name after `*` is missing"},
    {"aliases can't have any content, *including* tags", "an alias cannot have a tag or an anchor"},
    {"anchor not found after &", "the name after `&` is missing"},
    {"cannot assign multiple anchors to the same node", "a second anchor for one value"},
    {"cannot assign multiple tags to the same node", "a second tag for one value"},
    {"cannot set zero indentation for a block scalar",
     "`0` is not an indentation for a block scalar"},
    {"end of map flow not found", "expected `,` or `}`"},
    {"end of map not found", "expected a `key:` of the mapping above, or less indentation"},
    {"end of sequence flow not found", "expected `,` or `]`"},
    {"end of sequence not found",
     "expected a `- ` item of the sequence above, or less indentation"},
    {"end of verbatim tag not found", "this tag lacks its `>`"},
    {"illegal EOF in scalar", "the text ends inside quotes"},
    {"illegal block entry", "a `- ` item is not allowed here"},
    {"illegal character found while scanning alias", "this character cannot be in an alias"},
    {"illegal character found while scanning anchor", "this character cannot be in an anchor"},
    {"illegal document indicator in scalar", "the document ends inside quotes"},
    {"illegal flow end", "this closing bracket matches no open bracket"},
    {"illegal map key", "a `? ` key is not allowed here"},
    {"illegal map value", "a `key: value` is not allowed here"},
    {"illegal tab when looking for indentation",
     "a tab indents this line, but YAML allows only spaces"},
    {"unexpected character in block scalar", "only a comment may follow `|` or `>` on its line"},
}};

static_assert(std::ranges::is_sorted(wordings, {}, &Wording::parser));

constexpr std::string_view unknown_anchor = "the referenced anchor is not defined";

/// gpulint's message for yaml-cpp's `message`: what is there and what was expected.
[[nodiscard]] std::string syntax_message(std::string_view message) {
  if (message == "unknown token") return "an unquoted value cannot begin with this character";
  if (message.starts_with("unknown escape character"))
    return "this `\\` does not begin a valid escape sequence";
  if (message.starts_with(unknown_anchor)) {
    return fmt::format("there is no anchor `&{}` above", message.substr(unknown_anchor.size()));
  }
  const auto* const known = std::ranges::lower_bound(wordings, message, {}, &Wording::parser);
  return std::string(known != wordings.end() && known->parser == message ? known->ours : message);
}

void fill(std::string& text, Extent extent, char filler) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(extent.begin),
            text.begin() + static_cast<std::ptrdiff_t>(extent.end), filler);
}

/// A document's text in which everything that yaml-cpp misreads is replaced by something of the
/// same length that it reads correctly:
/// - anchors and tags on the line of a block scalar's header become blanks (it takes their column
///   for the least indentation of the scalar's lines);
/// - aliases become plain scalars (it takes the colon of `*name: value` into the name);
/// - the line break after a key in braces without a value becomes a blank (it does not see a key),
///   as does the `?` of `{?key: value}`;
/// - `\` before NEL, LS or PS in quotes becomes text.
/// nullopt if none of them occurs from `content` on.
[[nodiscard]] std::optional<std::string> mask_properties(std::string_view text,
                                                         std::uint32_t content) {
  const Extent range{content, static_cast<std::uint32_t>(text.size())};
  LineScanner scanner(text, range, LineScanner::Purpose::properties);
  scanner.scan();
  const bool has_alias_key = std::ranges::any_of(scanner.aliases(), [&](const Extent& alias) {
    return alias.end < text.size() && text[alias.end] == ':';
  });
  if (scanner.block_properties().empty() && scanner.breaks_behind_keys().empty() &&
      scanner.key_marks().empty() && scanner.escaped_breaks().empty() && !has_alias_key) {
    return std::nullopt;
  }
  std::string masked(text);
  for (const Extent properties : scanner.block_properties()) fill(masked, properties, ' ');
  for (const Extent alias : scanner.aliases()) fill(masked, alias, 'x');
  for (const Extent line_break : scanner.breaks_behind_keys()) fill(masked, line_break, ' ');
  for (const Extent mark : scanner.key_marks()) fill(masked, mark, ' ');
  for (const Extent escape : scanner.escaped_breaks()) fill(masked, escape, 'x');
  return masked;
}

/// Hands out bytes in place. Ends early if the parser has read far more bytes, or far more brackets
/// and commas, than it has made events of: it queues the tokens of a flow collection until its end.
class DocumentBuffer : public std::streambuf {
 public:
  DocumentBuffer(std::string_view text, std::uint32_t base, const TreeBuilder& builder)
      : text_(text), base_(base), builder_(&builder) {}

  [[nodiscard]] bool was_cut() const { return was_cut_; }

 private:
  int_type underflow() override {
    constexpr std::size_t window = 64U << 10U;
    const std::size_t size = std::min(window, text_.size() - given_);
    was_cut_ = was_cut_ || base_ + given_ > builder_->at() + limits::yaml_token_bytes ||
               queued_tokens() > limits::yaml_flow_tokens;
    if (size == 0 || was_cut_) return traits_type::eof();
    count_tokens(text_.substr(given_, size));
    char* const begin = const_cast<char*>(text_.data()) + given_;  // never written to
    setg(begin, begin, begin + size);
    given_ += size;
    return traits_type::to_int_type(*begin);
  }

  void count_tokens(std::string_view window) {
    constexpr std::string_view indicators = "[]{},";
    const auto is_indicator = [&](char c) { return indicators.find(c) != std::string_view::npos; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(window, is_indicator));
    windows_.push_back({base_ + given_ + window.size(), count});
  }

  /// For the windows after the last event, as if every byte were an indicator.
  [[nodiscard]] std::size_t queued_tokens() {
    while (!windows_.empty() && windows_.front().end <= builder_->at()) windows_.pop_front();
    std::size_t sum = 0;
    for (const Window& window : windows_) sum += window.tokens;
    return sum;
  }

  struct Window {
    std::size_t end = 0;  // offset in the file
    std::size_t tokens = 0;
  };

  std::string_view text_;
  std::deque<Window> windows_;  // given, and not all events yet
  std::size_t given_ = 0;
  std::uint32_t base_;
  const TreeBuilder* builder_;
  bool was_cut_ = false;
};

/// Text after a whole document, which the parser takes for another document.
class TrailingText : public YAML::EventHandler {
 public:
  [[nodiscard]] const std::optional<YAML::Mark>& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

 private:
  std::optional<YAML::Mark> start_;
};

class EventAdapter : public YAML::EventHandler {
 public:
  EventAdapter(TreeBuilder& builder, Extent range) : builder_(&builder), range_(range) {}

  /// Where nesting exceeded the limit; everything deeper is left out.
  [[nodiscard]] std::optional<std::uint32_t> too_deep() const { return too_deep_; }
  /// Whether the whole document has been read.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// The parser's position may be beyond the end.
  [[nodiscard]] std::uint32_t offset(const YAML::Mark& mark) const {
    return std::min(range_.begin + static_cast<std::uint32_t>(std::max(mark.pos, 0)), range_.end);
  }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override { has_ended_ = true; }
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override {
    if (skipped_ == 0) builder_->add_null(anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (skipped_ == 0) builder_->add_alias(offset(mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    if (skipped_ == 0) builder_->add_scalar(offset(mark), anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    begin(NodeKind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    begin(NodeKind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  void begin(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (skipped_ > 0 || builder_->depth() >= limits::nesting) {
      ++skipped_;
      if (!too_deep_) too_deep_ = offset(mark);
      return;
    }
    const bool present = anchor != 0 || (!tag.empty() && tag != "?");
    builder_->begin_collection(
        kind, offset(mark), anchor,
        present ? TreeBuilder::Properties::present : TreeBuilder::Properties::absent);
  }
  void end() {
    if (skipped_ == 0) return builder_->end_collection();
    --skipped_;
  }

  TreeBuilder* builder_;
  Extent range_;
  bool has_ended_ = false;
  std::size_t skipped_ = 0;  // open collections that are left out
  std::optional<std::uint32_t> too_deep_;
};

/// The word at an offset, up to the next blank.
[[nodiscard]] Extent word_at(std::string_view text, std::uint32_t offset) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n", offset), text.size());
  return {offset, std::max(offset, static_cast<std::uint32_t>(end))};
}

void refuse(Document& document, Extent where, std::string message, SyntaxError::Kind kind) {
  document.errors.push_back({.span = {document.file, where.begin, where.end},
                             .message = std::move(message),
                             .kind = kind});
}

void refuse_depth(Document& document, std::uint32_t at) {
  refuse(document, {at, at}, fmt::format("it is nested more than {} levels deep", limits::nesting),
         SyntaxError::Kind::limit);
}

/// Whether text at `offset` is indented like the root's block collection: Kubernetes' parser fails
/// there instead of ending the document.
[[nodiscard]] bool is_in_root(std::string_view text, std::uint32_t offset,
                              const Document& document) {
  if (document.root == no_node) return true;
  const NodeData& root = document.nodes[document.root];
  return root.style == Style::block && column_of(text, offset) >= column_of(text, root.begin);
}

void refuse_trailing(std::string_view text, std::uint32_t at, Document& document) {
  if (is_in_root(text, at, document)) {
    return refuse(document, word_at(text, at), "this text does not belong to what is above it",
                  SyntaxError::Kind::syntax);
  }
  refuse(document, word_at(text, at),
         "this text is outside the YAML document, which ends on an earlier line",
         SyntaxError::Kind::trailing);
}

void check_trailing_text(YAML::Parser& parser, std::string_view text, const EventAdapter& adapter,
                         Document& document) {
  TrailingText trailing;
  try {
    parser.HandleNextDocument(trailing);
  } catch (const YAML::Exception&) {
    if (!trailing.start()) throw;
  }
  if (!trailing.start()) return;
  refuse_trailing(text, adapter.offset(*trailing.start()), document);
}

/// Where yaml-cpp begins: it does not count a byte order mark at the very start, and reads one
/// after `---` as text.
[[nodiscard]] std::uint32_t parser_start(std::string_view own, const DocumentText& where) {
  for (const std::uint32_t at : {where.begin, first_line(own, where)}) {
    if (!own.substr(at).starts_with(byte_order_mark)) continue;
    return at + static_cast<std::uint32_t>(byte_order_mark.size());
  }
  return where.begin;
}

/// Builds the tree from the events of `given`: the bytes of the document, perhaps masked.
void parse_once(std::string_view given, std::string_view text, const DocumentText& where,
                TreeBuilder::Reading reading, const TagHandles& handles, Document& document) {
  const std::string_view own = text.substr(0, where.end);
  const std::uint32_t begin = parser_start(own, where);
  TreeBuilder builder(document, text, {where.content, where.end}, handles, reading);
  EventAdapter adapter(builder, {begin, where.end});
  DocumentBuffer buffer(given.substr(begin - where.begin), begin, builder);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(adapter)) check_trailing_text(parser, own, adapter, document);
  } catch (const YAML::DeepRecursion& error) {
    refuse_depth(document, adapter.too_deep().value_or(adapter.offset(error.mark)));
    return builder.finish();
  } catch (const YAML::Exception& error) {
    const std::uint32_t at = adapter.offset(error.mark);
    if (adapter.has_ended()) {
      refuse_trailing(own, at, document);
    } else if (!buffer.was_cut() && !adapter.too_deep()) {
      refuse(document, word_at(own, at), syntax_message(error.msg), SyntaxError::Kind::syntax);
    }
  }
  if (buffer.was_cut()) {
    document.errors.clear();
    refuse(document, {builder.at(), builder.at()},
           "this scalar or flow collection is too large to read", SyntaxError::Kind::limit);
  }
  if (adapter.too_deep()) refuse_depth(document, *adapter.too_deep());
  builder.finish();
}

}  // namespace

void parse_events(std::string_view text, const DocumentText& where, const TagHandles& handles,
                  Document& document) {
  const std::size_t comments = document.comments.size();
  const std::string_view own = text.substr(where.begin, where.end - where.begin);
  parse_once(own, text, where, TreeBuilder::Reading::direct, handles, document);
  if (document.errors.empty()) return;
  const auto masked = mask_properties(own, where.content - where.begin);
  if (!masked) return;
  document.nodes.clear();
  document.properties.clear();
  document.strings.clear();
  document.errors.clear();
  document.comments.resize(comments);
  document.root = no_node;
  parse_once(*masked, text, where, TreeBuilder::Reading::masked, handles, document);
}

}  // namespace gpulint

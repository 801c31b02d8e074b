#include "frontend/simple_yaml.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/opaque.h"
#include "frontend/limits.h"
#include "frontend/open_node.h"
#include "frontend/quoted_scalar.h"

namespace gpulint {
namespace {

/// Scans the text of simple YAML byte by byte and finds the ends of tokens. Offsets are bytes of
/// the text; queries are about the scanner's position.
class SimpleScanner {
 public:
  SimpleScanner(std::string_view text, std::uint32_t at) : text_(text), at_(at) {}

  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] bool is_done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::string_view text(std::uint32_t begin, std::uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  /// NUL after the end.
  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] char next() const { return peek(at_); }

  void move_to(std::uint32_t at) { at_ = at; }
  void skip() { ++at_; }
  void skip_spaces() {
    while (next() == ' ') ++at_;
  }
  [[nodiscard]] std::uint32_t line_end();
  [[nodiscard]] bool is_line_end() const { return is_line_end(at_); }

  [[nodiscard]] bool starts_item() const { return next() == '-' && is_blank_or_end(at_ + 1); }
  [[nodiscard]] bool starts_flow() const { return next() == '[' || next() == '{'; }
  [[nodiscard]] bool starts_quoted() const { return next() == '"' || next() == '\''; }

  enum class Context : bool { block, flow };
  [[nodiscard]] bool starts_plain(Context context) const;
  /// The end of a plain scalar, with its trailing blanks: at the line's end, a tab, a comment, a
  /// `:` before a blank; in flow context also at a flow indicator.
  [[nodiscard]] std::uint32_t plain_end(Context context) const;
  /// The position of the `:` after a key; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint32_t> find_colon();

  struct BlockScalar {
    std::uint32_t end = 0;  ///< Behind its last byte that is no blank.
    std::string value;      ///< Ends in one line break.
  };
  /// The lines of a block scalar below a key or `-` in `column`; moves after them. nullopt if they
  /// are not simple: blank lines in folded text, irregular indentation.
  [[nodiscard]] std::optional<BlockScalar> read_block_scalar(Style style, std::uint32_t column);

 private:
  class BlockLines;

  [[nodiscard]] bool is_line_end(std::size_t at) const {
    return at >= text_.size() || text_[at] == '\n';
  }
  [[nodiscard]] bool is_blank_or_end(std::size_t at) const {
    return is_line_end(at) || text_[at] == ' ';
  }
  /// Whether a `:` before this position is not part of a plain scalar.
  [[nodiscard]] bool ends_word(std::size_t at, Context context) const;

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t line_end_ = 0;  // of the line that was asked about last
};

using ByteSet = std::array<bool, 256>;

[[nodiscard]] constexpr ByteSet byte_set(std::string_view bytes) {
  ByteSet set{};
  for (const char c : bytes) set[static_cast<unsigned char>(c)] = true;
  return set;
}

[[nodiscard]] constexpr bool has(const ByteSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

/// The bytes that may begin a plain scalar; also `-` if another byte follows at once.
constexpr ByteSet begins_plain = [] {
  ByteSet set =
      byte_set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$<(=~^+\\");
  for (std::size_t c = 0x80; c < 0x100; ++c) set[c] = true;
  return set;
}();
constexpr ByteSet ends_block_plain = byte_set("\n\t:#");
constexpr ByteSet ends_flow_plain = byte_set("\n\t:#,?[]{}");

/// The bytes that may end a plain scalar.
[[nodiscard]] constexpr const ByteSet& ends_of(SimpleScanner::Context context) {
  return context == SimpleScanner::Context::flow ? ends_flow_plain : ends_block_plain;
}

/// The lines of a block scalar as they are read.
class SimpleScanner::BlockLines {
 public:
  BlockLines(std::string_view text, Style style)
      : text_(text), is_folded_(style == Style::folded) {}

  void add_blank(std::uint32_t spaces) {
    widest_blank_ = std::max(widest_blank_, spaces);
    ++blank_lines_;
  }

  /// Adds the line [begin, end) with this many leading spaces; false if it is not simple.
  [[nodiscard]] bool add(std::uint32_t begin, std::uint32_t end, std::uint32_t spaces) {
    if (indentation_ == 0) indentation_ = spaces;
    if (spaces < indentation_ || end == text_.size() || text_[begin + spaces] == '\t') return false;
    const bool is_odd = spaces > indentation_ || blank_lines_ > 0 || text_[end - 1] == ' ';
    if (is_folded_ && is_odd) return false;
    scalar_.value.append(blank_lines_, '\n');
    blank_lines_ = 0;
    const std::uint32_t content = begin + indentation_;
    scalar_.value.append(text_.substr(content, end - content)) += is_folded_ ? ' ' : '\n';
    scalar_.end = end;
    while (text_[scalar_.end - 1] == ' ' || text_[scalar_.end - 1] == '\t') --scalar_.end;
    return true;
  }

  [[nodiscard]] std::optional<BlockScalar> take() && {
    if (scalar_.value.empty() || widest_blank_ > indentation_) return std::nullopt;
    scalar_.value.back() = '\n';
    return std::move(scalar_);
  }

 private:
  std::string_view text_;
  bool is_folded_;
  std::uint32_t indentation_ = 0;  // of the first line; 0 before it
  std::uint32_t widest_blank_ = 0;
  std::size_t blank_lines_ = 0;  // since the last line that is none
  BlockScalar scalar_;
};

/// The least that a node of a manifest usually takes: a larger one costs a copy of all nodes.
constexpr std::size_t bytes_per_node = 10;
/// yaml-cpp accepts no key longer than 1,024 bytes without a `?`.
constexpr std::uint32_t longest_key = 1000;
/// Far below the limit of parse_events().
constexpr std::uint32_t longest_token = limits::yaml_token_bytes / 2;
constexpr std::size_t deepest = limits::nesting / 2;

/// Bytes that this reader leaves to parse_events(), anywhere in the text.
[[nodiscard]] bool holds_strange_bytes(std::string_view text) {
  constexpr std::array strange{std::string_view("\r"), std::string_view("\xC2\x85"),
                               std::string_view("\xE2\x80\xA8"), std::string_view("\xE2\x80\xA9"),
                               std::string_view("\xEF\xBB\xBF")};
  return std::ranges::any_of(
      strange, [&](std::string_view bytes) { return text.find(bytes) != std::string_view::npos; });
}

/// Each reading function returns false if the text is not simple; else it moves after what it read.
class Reader {
 public:
  Reader(std::string_view text, const DocumentText& where, Document& document)
      : where_(where), scan_(text.substr(0, where.end), where.content), document_(document) {}

  [[nodiscard]] bool read() {
    if (holds_strange_bytes(scan_.text(where_.begin, where_.end))) return false;
    document_.nodes.reserve((where_.end - where_.content) / bytes_per_node + 3);
    if (where_.content > where_.begin && !read_line_end()) return false;
    while (!scan_.is_done()) {
      if (!read_line()) return false;
    }
    if (pending_) add_missing_value();
    while (!open_.empty()) close();
    return document_.root != no_node && has_short_tokens();
  }

 private:
  /// An open block collection.
  struct Level : OpenNode {
    std::uint32_t column = 0;  ///< Of its keys, or of its `-`.
  };

  using Context = SimpleScanner::Context;

  [[nodiscard]] NodeData& node(NodeIndex index) { return document_.nodes[index]; }
  [[nodiscard]] bool is_mapping(const Level& level) {
    return node(level.node).kind == NodeKind::mapping;
  }

  /// Blanks and a comment up to the next line.
  [[nodiscard]] bool read_line_end() {
    const std::uint32_t begin = scan_.at();
    scan_.skip_spaces();
    if (scan_.next() == '#') {
      if (scan_.at() == begin) return false;
      read_comment();
    }
    if (!scan_.is_line_end()) return false;
    if (!scan_.is_done()) scan_.skip();
    return true;
  }

  void read_comment() {
    const std::uint32_t begin = scan_.at();
    scan_.move_to(scan_.line_end());
    document_.comments.push_back({document_.file, begin, scan_.at()});
  }

  [[nodiscard]] bool read_line() {
    line_ = scan_.at();
    scan_.skip_spaces();
    if (scan_.next() == '#') read_comment();
    if (scan_.is_line_end()) {
      scan_.skip();
      return true;
    }
    const std::uint32_t column = this->column();
    if (scan_.starts_flow() && pending_ && column > open_.back().column) {
      pending_.reset();
      return read_value();
    }
    const bool is_item = scan_.starts_item();
    if (!enter_level(column, is_item)) return false;
    return is_item ? read_item() : read_entry();
  }

  [[nodiscard]] std::uint32_t column() const { return scan_.at() - line_; }

  /// Closes and opens collections until the last one is the one for the item or entry that begins
  /// here.
  [[nodiscard]] bool enter_level(std::uint32_t column, bool is_item) {
    if (pending_) {
      const Level& last = open_.back();
      const bool is_deeper = column > last.column;
      if (is_deeper || (is_item && column == last.column && is_mapping(last))) {
        pending_.reset();
        return open(is_item ? NodeKind::sequence : NodeKind::mapping, column);
      }
      add_missing_value();
    }
    while (!open_.empty() && open_.back().column > column) close();
    if (open_.empty()) {
      return document_.root == no_node &&
             open(is_item ? NodeKind::sequence : NodeKind::mapping, column);
    }
    // a sequence may have the same column as its key
    if (!is_item && !is_mapping(open_.back()) && open_.size() > 1) close();
    return open_.back().column == column && is_item != is_mapping(open_.back());
  }

  [[nodiscard]] bool open(NodeKind kind, std::uint32_t column) {
    if (open_.size() >= deepest) return false;
    const NodeIndex index = add(kind, Style::block);
    open_.push_back({{.node = index}, column});
    return true;
  }

  void close() {
    const Level level = open_.back();
    open_.pop_back();
    node(level.node).end = node(level.last_child).end;
  }

  /// Adds a node that begins here, in the innermost block collection.
  NodeIndex add(NodeKind kind, Style style) {
    return add(kind, style, open_.empty() ? nullptr : &open_.back());
  }
  NodeIndex add(NodeKind kind, Style style, OpenNode* parent) {
    const NodeIndex index = add_node(document_, kind, parent);
    node(index).style = style;
    node(index).begin = scan_.at();
    return index;
  }

  void add_missing_value() {
    const NodeIndex index = add(NodeKind::scalar, Style::plain);
    node(index).begin = node(index).end = *pending_;
    node(index).text = scan_.text(*pending_, *pending_);
    pending_.reset();
  }

  void set_text(NodeIndex index, std::string_view text) {
    node(index).text = text;
    node(index).opaque = has_placeholder(text);
  }

  /// `- ` and the rest of the line.
  [[nodiscard]] bool read_item() {
    scan_.skip();
    if (leaves_value_open()) return read_line_end();
    if (scan_.starts_item()) return open(NodeKind::sequence, column()) && read_item();
    if (!scan_.find_colon()) return read_value();
    return open(NodeKind::mapping, column()) && read_entry();
  }

  /// Whether only a comment follows a `-` or `:` on the line: the value is empty or on the next
  /// lines. If so, does not move; else moves to the value.
  [[nodiscard]] bool leaves_value_open() {
    const std::uint32_t behind = scan_.at();
    scan_.skip_spaces();
    if (!scan_.is_line_end() && scan_.next() != '#') return false;
    pending_ = behind;
    scan_.move_to(behind);
    return true;
  }

  [[nodiscard]] bool read_entry() {
    const auto colon = scan_.find_colon();
    if (!colon || *colon - scan_.at() > longest_key) return false;
    OpenNode* const parent = &open_.back();
    if (!scan_.starts_quoted()) {
      add_plain(*colon, parent);
    } else if (!read_quoted_scalar(parent)) {
      return false;
    }
    scan_.move_to(*colon + 1);
    return leaves_value_open() ? read_line_end() : read_value();
  }

  /// A value on the line of its key or `-`.
  [[nodiscard]] bool read_value() {
    OpenNode* const parent = &open_.back();
    switch (scan_.next()) {
      case '|':
        return read_block_scalar(Style::literal);
      case '>':
        return read_block_scalar(Style::folded);
      case '"':
      case '\'':
        return read_quoted_scalar(parent) && read_line_end();
      case '[':
      case '{':
        return read_flow_collection(parent, open_.size()) && read_line_end();
      default:
        return read_plain(parent, Context::block) && read_line_end();
    }
  }

  [[nodiscard]] bool read_plain(OpenNode* parent, Context context) {
    if (!scan_.starts_plain(context)) return false;
    add_plain(scan_.plain_end(context), parent);
    return true;
  }

  /// The plain scalar up to `end`, without trailing blanks.
  void add_plain(std::uint32_t end, OpenNode* parent) {
    while (scan_.peek(end - 1) == ' ') --end;
    const NodeIndex index = add(NodeKind::scalar, Style::plain, parent);
    node(index).end = end;
    set_text(index, scan_.text(scan_.at(), end));
    scan_.move_to(end);
  }

  [[nodiscard]] bool read_quoted_scalar(OpenNode* parent) {
    const std::string_view line = scan_.text(scan_.at(), scan_.line_end());
    QuotedScalar quoted = read_quoted(line);
    if (quoted.problem || quoted.has_other_breaks) return false;
    const Style style = line[0] == '"' ? Style::double_quoted : Style::single_quoted;
    const NodeIndex index = add(NodeKind::scalar, style, parent);
    set_text(index,
             quoted.is_verbatim ? line.substr(1, quoted.size - 2) : keep(std::move(quoted.value)));
    scan_.move_to(scan_.at() + quoted.size);
    node(index).end = scan_.at();
    return true;
  }

  [[nodiscard]] std::string_view keep(std::string value) {
    return document_.strings.emplace_front(std::move(value));
  }

  [[nodiscard]] bool read_flow_collection(OpenNode* parent, std::size_t depth) {
    if (depth >= deepest) return false;
    const bool is_mapping = scan_.next() == '{';
    const char bracket = is_mapping ? '}' : ']';
    const NodeKind kind = is_mapping ? NodeKind::mapping : NodeKind::sequence;
    OpenNode self{.node = add(kind, Style::flow, parent)};
    do {
      scan_.skip();
      scan_.skip_spaces();
      if (scan_.next() == bracket && self.last_child == no_node) break;
      if (is_mapping && !read_flow_key(&self)) return false;
      if (!read_flow_value(&self, depth + 1)) return false;
      scan_.skip_spaces();
    } while (scan_.next() == ',');
    if (scan_.next() != bracket) return false;
    scan_.skip();
    NodeData& collection = node(self.node);
    collection.end = scan_.at();
    collection.opaque = is_mapping && collection.child_count == 2 &&
                        has_placeholder(scan_.text(collection.begin, collection.end));
    return true;
  }

  [[nodiscard]] bool read_flow_key(OpenNode* parent) {
    const std::uint32_t begin = scan_.at();
    if (!read_flow_scalar(parent) || scan_.at() - begin > longest_key) return false;
    if (scan_.next() != ':' || scan_.peek(scan_.at() + 1) != ' ') return false;
    scan_.skip();
    scan_.skip_spaces();
    return true;
  }

  [[nodiscard]] bool read_flow_value(OpenNode* parent, std::size_t depth) {
    return scan_.starts_flow() ? read_flow_collection(parent, depth) : read_flow_scalar(parent);
  }

  [[nodiscard]] bool read_flow_scalar(OpenNode* parent) {
    return scan_.starts_quoted() ? read_quoted_scalar(parent) : read_plain(parent, Context::flow);
  }

  /// `|` or `>`, perhaps with `-`, and its lines.
  [[nodiscard]] bool read_block_scalar(Style style) {
    const NodeIndex index = add(NodeKind::scalar, style);
    scan_.skip();
    const bool is_stripped = scan_.next() == '-';
    if (is_stripped) scan_.skip();
    if (!read_line_end()) return false;
    auto block = scan_.read_block_scalar(style, open_.back().column);
    if (!block) return false;
    if (is_stripped) block->value.pop_back();
    node(index).end = block->end;
    set_text(index, keep(std::move(block->value)));
    return true;
  }

  /// Whether parse_events() would accept the sizes of tokens.
  [[nodiscard]] bool has_short_tokens() const {
    if (where_.end - where_.content <= longest_token) return true;
    std::uint32_t before = where_.content;
    for (const NodeData& node : document_.nodes) {
      if (node.begin > before + longest_token) return false;
      if (node.style != Style::block && node.end > node.begin + longest_token) return false;
      before = std::max(before, node.begin);
    }
    return where_.end <= before + longest_token;
  }

  const DocumentText& where_;
  SimpleScanner scan_;
  std::uint32_t line_ = 0;  // where the current line begins
  Document& document_;
  std::vector<Level> open_;
  std::optional<std::uint32_t> pending_;  // where a value goes that has not come yet
};

}  // namespace

std::uint32_t SimpleScanner::line_end() {
  if (at_ > line_end_ || line_end_ == 0) {
    line_end_ = static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
  }
  return line_end_;
}

bool SimpleScanner::starts_plain(Context context) const {
  if (next() != '-') return has(begins_plain, next());
  return !is_blank_or_end(at_ + 1) && !has(ends_of(context), peek(at_ + 1));
}

bool SimpleScanner::ends_word(std::size_t at, Context context) const {
  if (is_blank_or_end(at) || text_[at] == '\t') return true;
  return context == Context::flow && has(ends_flow_plain, text_[at]);
}

std::uint32_t SimpleScanner::plain_end(Context context) const {
  const ByteSet& ends = ends_of(context);
  for (std::uint32_t end = at_;; ++end) {
    while (end < text_.size() && !has(ends, text_[end])) ++end;
    if (end >= text_.size()) return end;
    const bool goes_on = (text_[end] == '#' && text_[end - 1] != ' ') ||
                         (text_[end] == ':' && !ends_word(end + 1, context));
    if (!goes_on) return end;
  }
}

std::optional<std::uint32_t> SimpleScanner::find_colon() {
  std::uint32_t end = at_;
  if (starts_quoted()) {
    end += read_quoted(text(at_, line_end())).size;
    while (peek(end) == ' ') ++end;
    if (!is_blank_or_end(end + 1)) return std::nullopt;
  } else if (starts_plain(Context::block)) {
    end = plain_end(Context::block);
  } else {
    return std::nullopt;
  }
  return peek(end) == ':' ? std::optional(end) : std::nullopt;
}

std::optional<SimpleScanner::BlockScalar> SimpleScanner::read_block_scalar(Style style,
                                                                           std::uint32_t column) {
  BlockLines lines(text_, style);
  while (!is_done()) {
    const std::uint32_t begin = at_;
    skip_spaces();
    if (is_done()) return std::nullopt;
    const std::uint32_t spaces = at_ - begin;
    if (next() == '\n') {
      lines.add_blank(spaces);
    } else if (spaces <= column) {
      at_ = begin;
      break;
    } else {
      at_ = line_end();
      if (!lines.add(begin, at_, spaces)) return std::nullopt;
    }
    ++at_;
  }
  return std::move(lines).take();
}

bool read_simple_yaml(std::string_view text, const DocumentText& where, Document& document) {
  const std::size_t comments = document.comments.size();
  if (Reader(text, where, document).read()) return true;
  document.nodes.clear();
  document.strings.clear();
  document.comments.resize(comments);
  document.root = no_node;
  return false;
}

}  // namespace gpulint

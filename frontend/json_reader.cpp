#include "frontend/json_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/ir/opaque.h"
#include "frontend/limits.h"
#include "frontend/load.h"
#include "frontend/open_node.h"

namespace gpulint {
namespace {

/// Owners that create all their pods from one template. A workflow's pods differ.
constexpr auto kinds_of_one_template = std::to_array<std::string_view>(
    {"ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job"});

constexpr auto records_of_status = std::to_array<std::string_view>(
    {"conditions", "containerStatuses", "ephemeralContainerStatuses", "images",
     "initContainerStatuses"});

template <std::size_t size>
[[nodiscard]] bool holds(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The position after the closing quote of a string that begins at `at`; null if it has none.
[[nodiscard]] const char* behind_string(const char* at, const char* end) {
  for (++at; at != end; ++at) {
    if (*at == '"') return at + 1;
    if (*at != '\\') continue;
    ++at;
    if (at == end) return nullptr;
  }
  return nullptr;
}

[[nodiscard]] bool ends_word(char c) {
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Bytes that do not end a string.
constexpr std::array<bool, 256> is_string_byte = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 256; ++c) table[c] = c != '"' && c != '\\';
  return table;
}();

[[nodiscard]] std::optional<char> simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return std::nullopt;
  }
}

/// Skips the unescaped bytes of a JSON string: stops at its closing quote, a backslash, a control
/// character, or `end`.
[[nodiscard]] const char* behind_string_bytes(const char* at, const char* end) {
  while (at != end && is_string_byte[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

/// Decodes escapes.
class Escapes {
 public:
  Escapes(const char* at, const char* end) : at_(at), end_(end) {}

  /// The rest of a string from its first escape on, up to the closing quote.
  [[nodiscard]] const char* read(std::string& value) {
    while (at_ != end_ && *at_ == '\\') {
      if (++at_ == end_) return nullptr;
      if (*at_ == 'u') {
        if (!read_unicode(value)) return nullptr;
      } else {
        const auto c = simple_escape(*at_);
        if (!c) return nullptr;
        value += *c;
        ++at_;
      }
      const char* const first = at_;
      at_ = behind_string_bytes(at_, end_);
      value.append(first, at_);
    }
    return at_ != end_ && *at_ == '"' ? at_ : nullptr;
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> read_hex() {
    if (end_ - at_ < 5 || *at_ != 'u') return std::nullopt;
    std::uint32_t unit = 0;
    for (int i = 1; i <= 4; ++i) {
      const char c = static_cast<char>(at_[i] | 0x20);
      const bool is_letter = c >= 'a' && c <= 'f';
      if (!is_digit(at_[i]) && !is_letter) return std::nullopt;
      unit = unit << 4U | static_cast<std::uint32_t>(is_letter ? c - 'a' + 10 : at_[i] - '0');
    }
    at_ += 5;
    return unit;
  }

  /// `\uXXXX`, or two of them that are one character; a lone half becomes U+FFFD as in Go.
  [[nodiscard]] bool read_unicode(std::string& value) {
    constexpr std::uint32_t replacement = 0xFFFD;
    const auto unit = read_hex();
    if (!unit) return false;
    if (*unit < 0xD800 || *unit >= 0xE000) {
      append_utf8(value, *unit);
      return true;
    }
    const char* const behind = at_;
    if (*unit < 0xDC00 && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
      ++at_;
      const auto low = read_hex();
      if (!low) return false;
      if (*low >= 0xDC00 && *low < 0xE000) {
        append_utf8(value, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00));
        return true;
      }
      at_ = behind;
    }
    append_utf8(value, replacement);
    return true;
  }

  const char* at_;
  const char* end_;
};

/// Appends the rest of a JSON string from its first backslash on. Returns its closing quote; null
/// if it has none or is not a valid JSON string.
[[nodiscard]] const char* decode_escapes(const char* at, const char* end, std::string& value) {
  return Escapes(at, end).read(value);
}

/// A typical size of one node in `kubectl get -o json`; too small a guess only costs a copy.
constexpr std::size_t bytes_per_node = 24;

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

[[nodiscard]] bool holds_template(std::string_view text) {
  constexpr std::array<std::string_view, 3> marks{"{{", "{%", "${"};
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

/// Whether the entry `key` of `in` ("metadata", "status") is one that is left out.
[[nodiscard]] bool is_record(std::string_view in, std::string_view key) {
  return in == "status" ? holds(records_of_status, key)
                        : in == "metadata" && key == "managedFields";
}

/// The template that only the owner's controller writes, which all its pods share; empty if the
/// object is not such a pod.
[[nodiscard]] std::string template_of_pod(const Document& document, NodeIndex object) {
  const Node pod(document, object);
  if (pod.get("kind").text() != "Pod") return {};
  const Node metadata = pod.get("metadata");
  for (const Node owner : metadata.get("ownerReferences").items()) {
    const std::string_view uid = owner.get("uid").text();
    if (owner.get("controller").text() != "true" || uid.empty()) continue;
    if (!holds(kinds_of_one_template, owner.get("kind").text())) return {};
    // a DaemonSet or StatefulSet has pods of older templates next to new ones
    const std::string_view revision = metadata.at("labels", "controller-revision-hash").text();
    const bool is_bound = !pod.at("spec", "nodeName").text().empty();
    return fmt::format("{} {} {}", uid, revision, is_bound ? "bound" : "waiting");
  }
  return {};
}

/// The position after a JSON value that begins at `at`, without reading it; null if it has no end.
[[nodiscard]] const char* behind_json_value(const char* at, const char* end) {
  std::size_t depth = 0;
  while (at != end) {
    if (*at == '"') {
      at = behind_string(at, end);
      if (at == nullptr) return nullptr;
    } else if (*at == '{' || *at == '[') {
      ++depth;
      ++at;
      continue;
    } else if (depth > 0 && (*at == '}' || *at == ']')) {
      --depth;
      ++at;
    } else if (depth > 0) {
      ++at;
      continue;
    } else {
      return std::find_if(at, end, ends_word);
    }
    if (depth == 0) return at;
  }
  return nullptr;
}

/// A JSON parser without recursion: open collections are on a stack.
class Reader {
 public:
  Reader(std::string_view text, const DocumentText& where, Document& document,
         const Reading& reading)
      : begin_(text.data()),
        at_(text.data() + where.content),
        end_(text.data() + where.end),
        most_nodes_(limits::json_nodes + (where.end - where.content) / limits::json_bytes_per_node),
        document_(document),
        reading_(reading) {}

  /// False if the text is not JSON.
  [[nodiscard]] bool read() {
    if (!read_root()) return false;
    const bool is_apart = at_ != end_ && is_blank(*at_);
    skip_blank();
    return is_too_much() || at_ == end_ || is_foreign_text(is_apart);
  }

  /// One object or array, as much of it as is needed.
  [[nodiscard]] bool read_root() {
    skip_blank();
    if (at_ == end_ || (*at_ != '{' && *at_ != '[')) return false;
    document_.nodes.reserve(static_cast<std::size_t>(end_ - at_) / bytes_per_node + 3);
    do {
      if (!read_step()) return false;
    } while (!open_.empty() && !is_too_much());
    return true;
  }

  /// YAML comments up to the end; false if there is anything else.
  [[nodiscard]] bool read_comments() {
    for (skip_blank(); at_ != end_; skip_blank()) {
      if (*at_ != '#' || !is_blank(at_[-1])) return false;
      const std::uint32_t begin = offset();
      at_ = std::find(at_, end_, '\n');
      const std::uint32_t end = offset() - (at_[-1] == '\r' ? 1 : 0);
      document_.comments.push_back({document_.file, begin, end});
    }
    return true;
  }

  /// Where reading stopped.
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(at_ - begin_); }
  [[nodiscard]] bool has_ended() const { return at_ == end_; }

  [[nodiscard]] bool is_too_deep() const { return is_too_deep_; }
  [[nodiscard]] bool has_too_many() const { return document_.nodes.size() > most_nodes_; }
  [[nodiscard]] bool is_too_much() const { return is_too_deep() || has_too_many(); }

 private:
  /// Whether the text after the value changes its meaning: YAML (a comment, a longer key) or a
  /// template.
  [[nodiscard]] bool is_foreign_text(bool is_apart) const {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    if (rest.starts_with(':') || (is_apart && rest.starts_with('#'))) return false;
    return !holds_template(rest);
  }

  [[nodiscard]] NodeData& node(NodeIndex index) { return document_.nodes[index]; }
  void skip_blank() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  [[nodiscard]] bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  [[nodiscard]] NodeIndex add(NodeKind kind, Style style) {
    const NodeIndex index = add_node(document_, kind, open_.empty() ? nullptr : &open_.back());
    NodeData& added = node(index);
    added.style = style;
    added.begin = offset();
    return index;
  }

  /// One value with the text before it, or the end of an open collection.
  [[nodiscard]] bool read_step() {
    if (open_.empty()) return read_value();
    const OpenNode& frame = open_.back();
    const bool is_mapping = node(frame.node).kind == NodeKind::mapping;
    skip_blank();
    if (take(is_mapping ? '}' : ']')) return close();
    if (frame.last_child != no_node) {
      if (!take(',')) return false;
      skip_blank();
    }
    if (is_mapping) {
      while (begins_record()) {
        if (!skip_record()) return false;
        if (take('}')) return close();
        if (!take(',')) return false;
        skip_blank();
      }
      if (at_ == end_ || *at_ != '"' || !read_string()) return false;
      skip_blank();
      if (!take(':')) return false;
      skip_blank();
    }
    return read_value();
  }

  [[nodiscard]] bool read_value() {
    if (at_ == end_) return false;
    switch (*at_) {
      case '{':
        return open(NodeKind::mapping);
      case '[':
        return open(NodeKind::sequence);
      case '"':
        return read_string();
      case 't':
        return read_word("true");
      case 'f':
        return read_word("false");
      case 'n':
        return read_word("null");
      default:
        return read_number();
    }
  }

  [[nodiscard]] bool open(NodeKind kind) {
    is_too_deep_ = open_.size() >= limits::nesting;
    if (open_.size() == 2) before_item_ = open_.back().last_child;
    const NodeIndex index = add(kind, Style::flow);
    ++at_;
    open_.push_back({.node = index});
    return true;
  }

  [[nodiscard]] bool close() {
    const NodeIndex closed = open_.back().node;
    node(closed).end = offset();
    open_.pop_back();
    if (reading_.pods_alike != nullptr && is_in_items()) count_alike(closed);
    return true;
  }

  [[nodiscard]] std::string_view key_of(const OpenNode& frame) {
    const NodeIndex key = node(frame.node).key;
    return key == no_node ? std::string_view() : node(key).text;
  }

  /// Whether the next value is an item of the document's `items`.
  [[nodiscard]] bool is_in_items() { return open_.size() == 2 && key_of(open_[1]) == "items"; }

  /// Whether a record begins, in an object's `metadata` or `status`, that is left out.
  [[nodiscard]] bool begins_record() {
    const std::size_t depth = open_.size();
    const bool is_in_object = depth == 2 || (depth == 4 && key_of(open_[1]) == "items");
    if (!reading_.leaves_out_records || !is_in_object || at_ == end_ || *at_ != '"') return false;
    const char* const first = at_ + 1;
    const char* const quote = std::find(first, end_, '"');
    return is_record(key_of(open_.back()), {first, static_cast<std::size_t>(quote - first)});
  }

  [[nodiscard]] bool skip_record() {
    if (!skip_value() || !take(':')) return false;
    skip_blank();
    return skip_value();
  }

  /// A value that is not read, and the blanks after it.
  [[nodiscard]] bool skip_value() {
    const char* const behind = behind_json_value(at_, end_);
    if (behind == nullptr || behind == at_) return false;
    at_ = behind;
    skip_blank();
    return true;
  }

  /// Removes the item if another one of its template was kept.
  void count_alike(NodeIndex item) {
    const std::string made_of = template_of_pod(document_, item);
    if (made_of.empty()) return;
    const auto [kept, is_first] = pods_.try_emplace(made_of, item);
    if (is_first) return;
    ++(*reading_.pods_alike)[kept->second];
    OpenNode& items = open_.back();
    document_.nodes.resize(item);
    items.last_child = before_item_;
    node(before_item_).next = no_node;  // the item that was kept comes earlier
    --node(items.node).child_count;
  }

  [[nodiscard]] bool read_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() ||
        std::string_view(at_, word.size()) != word) {
      return false;
    }
    finish_plain(at_ + word.size());
    return true;
  }

  void finish_plain(const char* end) {
    NodeData& scalar = node(add(NodeKind::scalar, Style::plain));
    scalar.text = {at_, static_cast<std::size_t>(end - at_)};
    at_ = end;
    scalar.end = offset();
  }

  [[nodiscard]] bool read_number() {
    const char* at = at_;
    const auto digits = [&] {
      const char* const first = at;
      while (at != end_ && is_digit(*at)) ++at;
      return at != first;
    };
    if (at != end_ && *at == '-') ++at;
    const bool begins_with_zero = at != end_ && *at == '0';
    const char* const whole = at;
    if (!digits() || (begins_with_zero && at - whole > 1)) return false;
    if (at != end_ && *at == '.') {
      ++at;
      if (!digits()) return false;
    }
    if (at != end_ && (*at == 'e' || *at == 'E')) {
      ++at;
      if (at != end_ && (*at == '+' || *at == '-')) ++at;
      if (!digits()) return false;
    }
    finish_plain(at);
    return true;
  }

  [[nodiscard]] bool read_string() {
    const NodeIndex index = add(NodeKind::scalar, Style::double_quoted);
    const char* const first = ++at_;
    at_ = behind_string_bytes(at_, end_);
    if (at_ == end_) return false;
    std::string_view value(first, static_cast<std::size_t>(at_ - first));
    if (*at_ != '"') {
      std::string decoded(value);
      const char* const quote = decode_escapes(at_, end_, decoded);
      if (quote == nullptr) return false;
      at_ = quote;
      value = document_.strings.emplace_front(std::move(decoded));
    }
    ++at_;
    NodeData& scalar = node(index);
    scalar.text = value;
    scalar.end = offset();
    scalar.opaque = has_placeholder(value);
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t most_nodes_;
  Document& document_;
  const Reading& reading_;
  std::vector<OpenNode> open_;
  std::unordered_map<std::string, NodeIndex> pods_;  // by template, those that are kept
  NodeIndex before_item_ = no_node;                  // the item's neighbour that was read last
  bool is_too_deep_ = false;
};

void drop_nodes(Document& document) {
  document.nodes = {};
  document.strings.clear();
  document.comments.clear();
  document.root = no_node;
}

/// Drops what was read so far.
void refuse_size(Document& document, std::string message) {
  const std::uint32_t at = document.nodes.back().begin;
  drop_nodes(document);
  document.errors.push_back({.span = {document.file, at, at},
                             .message = std::move(message),
                             .kind = SyntaxError::Kind::limit});
}

}  // namespace

bool read_json(std::string_view text, const DocumentText& where, Document& document,
               const Reading& reading) {
  Reader reader(text, where, document, reading);
  const auto refuse = [&](std::uint32_t end, const char* message) {
    document.errors.push_back({.span = {document.file, reader.offset(), end},
                               .message = message,
                               .kind = SyntaxError::Kind::trailing});
  };
  if (!reader.read()) {
    drop_nodes(document);
    const std::string_view own = text.substr(where.content, where.end - where.content);
    if (!where.is_in_json_stream || holds_template(own)) return false;
    refuse(std::min(reader.offset() + 1, where.end),
           "only JSON objects can follow a JSON object, and this is not JSON");
    return true;
  }
  document.is_json = true;
  if (reader.is_too_much()) {
    refuse_size(document,
                reader.is_too_deep()
                    ? fmt::format("it is nested more than {} levels deep", limits::nesting)
                    : "it has more values than gpulint reads");
  } else if (!reader.has_ended()) {
    const std::size_t end = text.find_first_of(" \t\r\n", reader.offset());
    refuse(static_cast<std::uint32_t>(std::min<std::size_t>(end, where.end)),
           "gpulint did not check this text, because it comes after the end of the JSON document");
  }
  return true;
}

bool read_commented_json(std::string_view text, const DocumentText& where, Document& document) {
  const Reading whole;
  Reader reader(text, where, document, whole);
  document.is_json = reader.read_root() && !reader.is_too_much() && reader.read_comments();
  if (!document.is_json) drop_nodes(document);
  return document.is_json;
}

}  // namespace gpulint

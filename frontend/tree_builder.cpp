#include "frontend/tree_builder.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/ir/opaque.h"

namespace gpulint {
namespace {

constexpr std::string_view core_prefix = "tag:yaml.org,2002:";

}  // namespace

TreeBuilder::TreeBuilder(Document& document, std::string_view text, Extent range,
                         TagHandles handles, Reading reading)
    : document_(&document),
      handles_(std::move(handles)),
      reader_(text, range, document),
      reading_(reading) {}

NodeIndex TreeBuilder::add(NodeKind kind, std::size_t anchor) {
  const NodeIndex index = add_node(*document_, kind, open_.empty() ? nullptr : &open_.back());
  if (anchor != 0) {
    if (anchored_.size() <= anchor) anchored_.resize(anchor + 1, no_node);
    anchored_[anchor] = index;
  }
  return index;
}

std::string_view TreeBuilder::keep(std::string_view value) {
  return document_->strings.emplace_front(value);
}

/// `!!x` and handles become whole tags, `!<x>` is one already, `!x` is kept.
std::string_view TreeBuilder::resolve_tag(const WrittenProperties& written) {
  const std::string_view tag = written.tag;
  if (tag.starts_with("!<")) return tag.substr(2, tag.size() - (tag.ends_with('>') ? 3 : 2));
  const std::size_t mark = tag.find('!', 1);
  const std::string_view handle = mark == std::string_view::npos || tag.size() == 1
                                      ? tag.substr(0, 1)
                                      : tag.substr(0, mark + 1);
  const auto known = std::ranges::find(handles_, handle, &TagHandle::handle);
  if (known != handles_.end() && tag.size() > 1) {
    return keep(std::string(known->prefix).append(tag.substr(handle.size())));
  }
  if (handle == "!!") return keep(std::string(core_prefix).append(tag.substr(2)));
  if (handle.size() > 1) {
    reader_.refuse(written.extent, fmt::format("no `%TAG` directive for `{}`", handle));
  }
  return tag;
}

void TreeBuilder::set_properties(NodeIndex index, const WrittenProperties& written) {
  if (written.extent.empty()) return;
  node(index).properties = static_cast<std::uint32_t>(document_->properties.size());
  document_->properties.push_back(
      {.anchor = written.anchor,
       .tag = written.tag.empty() ? std::string_view{} : resolve_tag(written),
       .begin = written.extent.begin,
       .aliases = {}});
  if (reading_ == Reading::masked && !written.anchor.empty()) named_[written.anchor] = index;
}

bool TreeBuilder::read_null_indicators(NodeIndex index, std::uint32_t& place) {
  reader_.skip_blank();
  if (open_.empty()) {
    place = reader_.at();
    return true;
  }
  const bool in_mapping = node(open_.back().node).kind == NodeKind::mapping;
  const bool is_value = node(index).key != no_node;
  const char own = !in_mapping ? '-' : is_value ? ':' : '?';
  // the comma before a missing key or item; the one after a missing value is not its own
  if (in_flow() && !is_value && reader_.read_indicator(',')) {
    place = reader_.at();
    reader_.skip_blank();
  }
  if (in_flow() && own == '-') return false;
  if (!reader_.read_indicator(own)) return false;
  place = reader_.at();
  reader_.skip_blank();
  return true;
}

/// `? key` needs no value, but other keys of a block mapping need their `:`.
void TreeBuilder::check_missing_colon(NodeIndex value) {
  const Node key(*document_, node(value).key);
  const std::uint32_t begin = key.begin_with_properties();
  if (reader_.previous_mark(begin) == '?') return;
  reader_.refuse({begin, key.span().end}, "the `:` after this key is missing");
}

/// YAML allows missing values, but not missing items of flow sequences or keys without `?`.
void TreeBuilder::check_empty_node(NodeIndex index, bool has_indicator) {
  if (open_.empty() && reader_.next() != '\0') {
    reader_.refuse({reader_.at(), reader_.at() + 1}, "no value can begin with this character");
  }
  if (open_.empty() || node(index).key != no_node || has_indicator) return;
  const bool is_key = node(open_.back().node).kind == NodeKind::mapping;
  const std::uint32_t at = reader_.at();
  reader_.refuse({at, at}, is_key ? "a key is missing here" : "an item is missing here");
}

void TreeBuilder::add_null(std::size_t anchor) {
  const bool is_root = open_.empty();
  const NodeIndex index = add(NodeKind::scalar, anchor);
  std::uint32_t place = reader_.at();
  const bool has_indicator = read_null_indicators(index, place);
  WrittenProperties written{.extent = {reader_.at(), reader_.at()}};
  if (is_root) {
    written =
        reader_.read_properties();  // a lone tag makes an empty text that the parser calls null
  } else if (anchor != 0) {
    written = reader_.read_lone_anchor();  // with a tag it were an empty text
  }
  const bool is_key = !open_.empty() && node(index).key == no_node &&
                      node(open_.back().node).kind == NodeKind::mapping;
  Extent extent = reader_.read_null(is_key ? TokenReader::Role::key : TokenReader::Role::value);
  if (extent.empty()) {
    if (written.extent.empty() || is_root) check_empty_node(index, has_indicator);
    const bool is_value = node(index).key != no_node;
    if (is_value && !has_indicator && !in_flow()) check_missing_colon(index);
    if (in_flow()) place = reader_.at();
    if (!written.extent.empty()) place = written.extent.end;
    extent = {place, place};
  }
  node(index).begin = extent.begin;
  node(index).end = extent.end;
  node(index).text = reader_.text(extent);
  if (!written.extent.empty()) check_indentation(index, written.extent.begin);
  set_properties(index, written);
}

void TreeBuilder::note_alias(NodeIndex index) {
  NodeData& alias = node(index);
  if (alias.target == no_node) return;
  if (std::ranges::find(open_, alias.target, &Frame::node) != open_.end()) {
    reader_.refuse({alias.begin, alias.end},
                   fmt::format("the value of anchor `{}` contains itself", alias.text));
    alias.target = no_node;
  } else if (const std::uint32_t properties = node(alias.target).properties;
             properties != UINT32_MAX) {
    document_->properties[properties].aliases.push_back(index);
  }
}

/// A value of a block mapping on a line of its own must be indented more than the keys.
void TreeBuilder::check_indentation(NodeIndex value, std::uint32_t begin) {
  const NodeData& data = node(value);
  const bool is_block_scalar = data.style == Style::literal || data.style == Style::folded;
  if (data.key == no_node || open_.empty() || in_flow() || is_block_scalar) return;
  const std::uint32_t key_end = node(data.key).end;
  const std::string_view between = reader_.text({key_end, std::max(begin, key_end)});
  if (between.find('\n') == std::string_view::npos) return;
  if (reader_.column(begin) > reader_.column(node(open_.back().node).begin)) return;
  reader_.refuse({begin, reader_.at()}, "this value is not indented more than its key");
}

void TreeBuilder::add_alias(std::uint32_t start, std::size_t anchor) {
  const NodeIndex index = add(NodeKind::alias, 0);
  reader_.move_to(start);
  node(index).begin = start;
  node(index).text = reader_.read_alias();
  node(index).end = reader_.at();
  node(index).target = anchor < anchored_.size() ? anchored_[anchor] : no_node;
  note_alias(index);
  check_indentation(index, start);
}

void TreeBuilder::add_masked_alias(std::uint32_t start, std::string_view value) {
  const NodeIndex index = add(NodeKind::alias, 0);
  const std::string_view name = reader_.read_alias();
  const Extent written{start, reader_.at()};
  const auto anchored = named_.find(name);
  if (anchored == named_.end()) {
    reader_.refuse(written, fmt::format("there is no anchor `&{}` above", name));
  } else if (value.size() != written.end - written.begin) {
    reader_.refuse(written, "text cannot follow an alias");
  } else {
    node(index).target = anchored->second;
  }
  node(index).begin = start;
  node(index).end = written.end;
  node(index).text = name;
  note_alias(index);
  check_indentation(index, start);
}

void TreeBuilder::check_plain_scalar(const WrittenScalar& scalar) {
  if (!in_flow()) return;
  if (reader_.text(scalar.extent).starts_with(':')) {
    reader_.refuse({scalar.extent.begin, scalar.extent.begin + 1},
                   "a plain scalar between brackets cannot begin with `:`");
  }
}

/// The properties that were hidden from the parser must be complete.
void TreeBuilder::check_masked_properties(const WrittenProperties& written, std::uint32_t start) {
  if (written.extent.empty()) return;
  if (reader_.next() == '*') {
    reader_.refuse(written.extent, "an alias cannot have a tag or an anchor");
  } else if (reader_.at() < start || reader_.next() == '&' || reader_.next() == '!') {
    reader_.refuse(written.extent, "a value can have only one anchor and one tag");
  }
}

/// Whether an empty scalar's own quotes or `|` follow its properties, not the next key.
bool TreeBuilder::starts_empty_scalar(const WrittenProperties& written) const {
  if (!reader_.starts_scalar()) return false;
  const std::string_view between = reader_.text({written.extent.end, reader_.at()});
  if (in_flow() || open_.empty() || between.find('\n') == std::string_view::npos) return true;
  return reader_.column(reader_.at()) > reader_.column(document_->nodes[open_.back().node].begin) ||
         !reader_.starts_quoted_key();
}

void TreeBuilder::add_scalar(std::uint32_t start, std::size_t anchor, std::string_view value) {
  if (reading_ == Reading::masked) {
    reader_.move_to_properties(start);
  } else {
    reader_.move_to(start);
  }
  if (reader_.next() == '*') return add_masked_alias(start, value);
  const NodeIndex index = add(NodeKind::scalar, anchor);
  const WrittenProperties written = reader_.read_properties();
  if (reading_ == Reading::masked) check_masked_properties(written, start);
  if (value.empty() && !starts_empty_scalar(written)) {  // only a tag
    node(index).begin = node(index).end = written.extent.end;
  } else {
    set_scalar(index, reader_.read_scalar(value), value);
  }
  if (!written.extent.empty()) check_indentation(index, written.extent.begin);
  check_indentation(index, node(index).begin);
  set_properties(index, written);
}

void TreeBuilder::set_scalar(NodeIndex index, const WrittenScalar& scalar, std::string_view value) {
  NodeData& data = node(index);
  data.style = scalar.style;
  data.begin = scalar.extent.begin;
  data.end = scalar.extent.end;
  const std::string_view text = reader_.text(scalar.extent);
  if (scalar.is_verbatim) {
    data.text = text.substr(1, text.size() - 2);
  } else if (scalar.has_value) {
    data.text = keep(scalar.value);
  } else {
    data.text = text == value ? text : keep(value);
  }
  data.opaque = has_placeholder(data.text);
  if (scalar.style == Style::plain) check_plain_scalar(scalar);
  const bool is_key =
      !open_.empty() && data.key == no_node && node(open_.back().node).kind == NodeKind::mapping;
  if (is_key && scalar.has_other_breaks) reader_.check_line_breaks(scalar.extent);
}

void TreeBuilder::begin_collection(NodeKind kind, std::uint32_t start, std::size_t anchor,
                                   Properties properties) {
  const NodeIndex index = add(kind, anchor);
  reader_.move_to(start);
  WrittenProperties written{.extent = {start, start}};
  if (properties == Properties::present) written = reader_.read_properties();
  const std::uint32_t begin = reader_.at();
  const bool has_bracket = reader_.read_indicator(kind == NodeKind::sequence ? '[' : '{');
  if (!written.extent.empty()) check_indentation(index, written.extent.begin);
  if (has_bracket) check_indentation(index, begin);
  node(index).style = has_bracket || in_flow() ? Style::flow : Style::block;
  node(index).begin = node(index).end = begin;
  set_properties(index, written);
  open_.push_back({{.node = index}, has_bracket, has_bracket || in_flow()});
  enter_collection();
}

void TreeBuilder::enter_collection() {
  using Context = TokenReader::Context;
  reader_.enter(in_flow() ? Context::flow : Context::block,
                open_.empty() ? UINT32_MAX : node(open_.back().node).begin);
}

/// `{name}` is a mapping in YAML and a placeholder in templates.
void TreeBuilder::mark_placeholder_mapping(NodeIndex index) {
  const NodeData& mapping = node(index);
  if (mapping.kind != NodeKind::mapping || mapping.child_count != 2) return;
  node(index).opaque = has_placeholder(reader_.text({mapping.begin, mapping.end}));
}

void TreeBuilder::end_collection() {
  const Frame frame = open_.back();
  open_.pop_back();
  NodeData& data = node(frame.node);
  if (!frame.has_bracket) {
    if (frame.last_child != no_node) data.end = std::max(data.begin, node(frame.last_child).end);
    return enter_collection();
  }
  reader_.skip_blank();
  if (reader_.read_indicator(',')) reader_.skip_blank();
  static_cast<void>(reader_.read_indicator(data.kind == NodeKind::sequence ? ']' : '}'));
  data.end = reader_.at();
  enter_collection();
  mark_placeholder_mapping(frame.node);
}

void TreeBuilder::finish() {
  while (!open_.empty()) {
    const Frame frame = open_.back();
    if (node(frame.node).kind == NodeKind::mapping && node(frame.node).child_count % 2 == 1) {
      const NodeIndex value = add(NodeKind::scalar, 0);  // a key that lost its value
      node(value).begin = node(value).end = reader_.at();
    }
    open_.pop_back();
    node(frame.node).end = std::max(node(frame.node).end, reader_.at());
  }
  reader_.skip_blank();
}

}  // namespace gpulint

#include "compiler/model/kustomize/tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gpulint::kustomize {
namespace {

/// No object of a cluster is larger (etcd accepts 1.5 MB), but alias bombs are.
constexpr std::size_t max_parts = 200'000;

[[nodiscard]] bool read(Node node, std::size_t& left, Value& value) {
  const Node source = node.resolved();
  if (left-- == 0) return false;
  value.kind = source.kind();
  value.written = source;
  value.is_opaque = source.is_opaque();
  for (const auto& [key, inner] : source.fields()) {
    Entry& entry = value.entries.emplace_back(Entry{key, std::string(key.text()), {}});
    if (left < 2 || !read(inner, left, entry.value)) return false;
  }
  for (const Node item : source.items()) {
    if (left < 2 || !read(item, left, value.items.emplace_back())) return false;
  }
  return true;
}

/// Writes a tree into the arena of a document.
class Writer {
 public:
  explicit Writer(Document& document) : document_(document) {}

  NodeIndex add(const Value& value, NodeIndex parent) {
    const NodeIndex index = add_node(value.written, value.kind, parent);
    document_.nodes[index].opaque = value.is_opaque;
    if (value.made_text) {
      document_.nodes[index].text = document_.strings.emplace_front(*value.made_text);
      document_.nodes[index].style = Style::double_quoted;  // a string, whatever it looks like
    }
    NodeIndex last = no_node;
    for (const Entry& entry : value.entries) {
      const NodeIndex key = add_node(entry.key, NodeKind::scalar, index);
      if (entry.key.text() != entry.name) {
        document_.nodes[key].text = document_.strings.emplace_front(entry.name);
      }
      hang(index, last, key);
      const NodeIndex inner = add(entry.value, index);
      document_.nodes[inner].key = key;
      hang(index, last, inner);
    }
    for (const Value& item : value.items) {
      const NodeIndex inner = add(item, index);
      hang(index, last, inner);
    }
    return index;
  }

 private:
  NodeIndex add_node(Node written, NodeKind kind, NodeIndex parent) {
    const Node origin = written.written();
    const NodeData& data = origin.document()->nodes[origin.index()];
    const auto index = static_cast<NodeIndex>(document_.nodes.size());
    const bool is_collection = kind == NodeKind::mapping || kind == NodeKind::sequence;
    NodeData& made = document_.nodes.emplace_back();
    made.kind = kind;
    made.style = data.style;
    if (is_collection && data.style != Style::flow) made.style = Style::block;
    made.opaque = data.opaque;
    made.parent = parent;
    made.begin = data.begin;
    made.end = data.end;
    if (data.properties != UINT32_MAX) {
      made.properties = static_cast<std::uint32_t>(document_.properties.size());
      document_.properties.push_back(origin.document()->properties[data.properties]);
      document_.properties.back().aliases.clear();  // what is built has none
    }
    if (!is_collection) made.text = data.text;
    document_.origins.push_back({origin.document(), origin.index()});
    return index;
  }

  void hang(NodeIndex parent, NodeIndex& last, NodeIndex child) {
    NodeData& above = document_.nodes[parent];
    (last == no_node ? above.first_child : document_.nodes[last].next) = child;
    ++above.child_count;
    last = child;
  }

  Document& document_;
};

}  // namespace

Value* Value::find(std::string_view name) {
  const auto at = std::ranges::find(entries, name, &Entry::name);
  return at == entries.end() ? nullptr : &at->value;
}

const Value* Value::find(std::string_view name) const {
  const auto at = std::ranges::find(entries, name, &Entry::name);
  return at == entries.end() ? nullptr : &at->value;
}

std::string_view Value::text(std::string_view name) const {
  const Value* value = find(name);
  return value == nullptr ? std::string_view{} : value->text();
}

std::string_view Value::text() const {
  if (kind != NodeKind::scalar) return {};
  return made_text ? std::string_view(*made_text) : written.text();
}

void Value::set(Node key, std::string_view name, Value value) {
  const auto known = std::ranges::find(entries, name, &Entry::name);
  Entry entry{key, std::string(name), std::move(value)};
  if (known == entries.end()) {
    entries.push_back(std::move(entry));
  } else {
    *known = std::move(entry);
  }
}

void Value::erase(std::string_view name) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.name == name; });
}

std::optional<Value> read_value(Node node) {
  std::size_t left = max_parts;
  Value value;
  if (!read(node, left, value)) return std::nullopt;
  return value;
}

std::unique_ptr<Document> make_document(const Value& value, const Document& base) {
  auto made = std::make_unique<Document>();
  made->file = base.file;
  made->index = base.index;
  made->span = base.span;
  made->is_json = base.is_json;
  made->has_masked_placeholders = base.has_masked_placeholders;
  made->root = Writer(*made).add(value, no_node);
  return made;
}

}  // namespace gpulint::kustomize

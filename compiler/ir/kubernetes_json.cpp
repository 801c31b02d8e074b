#include "compiler/ir/kubernetes_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/aliasing.h"
#include "compiler/ir/scalar.h"

namespace gpulint {
namespace {

using Type = KubernetesScalar::Type;
using Refusal = KubernetesJson::Refusal;

/// Aliases of aliases nest without any nesting in the text.
constexpr int max_depth = 2'000;

struct Entry;

/// A JSON value, or a scalar that JSON has no form for (`refused`).
struct Json {
  enum class Kind : std::uint8_t { text, string, array, object, refused };
  Kind kind = Kind::text;
  std::string text;            // of text: the JSON itself; of string: its value
  std::vector<Json> items;     // of array
  std::vector<Entry> entries;  // of object
  Node node;
};

struct Entry {
  Type key_type = Type::string;
  std::optional<std::string> key;  // none: a key that JSON has no form for
  Json value;
};

[[nodiscard]] bool is_merge(Node key) {
  return key.is_scalar() && key.text() == "<<" &&
         ((key.style() == Style::plain && key.tag().empty()) || key.tag() == "!" ||
          key.tag() == "tag:yaml.org,2002:merge");
}

/// The tag as people write it: `!!int`.
[[nodiscard]] std::string short_tag(Node node) {
  constexpr std::string_view prefix = "tag:yaml.org,2002:";
  const std::string_view tag = node.tag();
  return tag.starts_with(prefix) ? fmt::format("!!{}", tag.substr(prefix.size()))
                                 : std::string(tag);
}

/// yaml.v2's decoder into untyped Go values: entries and merges in the order written.
class Decoder {
 public:
  [[nodiscard]] Json decode(Node node);
  [[nodiscard]] const std::optional<Refusal>& error() const { return error_; }
  [[nodiscard]] const std::optional<Refusal>& repeated() const { return repeated_; }

 private:
  /// An object being filled, with an index of its entries by type and text of the key.
  struct Object {
    Object() { json.kind = Json::Kind::object; }

    Json json;
    std::unordered_map<std::string, std::size_t> by_key;
  };

  void refuse(Node node, std::string message);
  [[nodiscard]] bool may_go_on(Node node);
  [[nodiscard]] Json decode_scalar(Node node);
  void fill(Node mapping, Object& object);
  void merge(Node source, Object& object);
  void merge_one(Node source, Object& object);
  void add(Node key, Node value, Object& object);

  std::optional<Refusal> error_;
  std::optional<Refusal> repeated_;
  std::size_t decoded_ = 0;
  std::size_t through_aliases_ = 0;
  int alias_depth_ = 0;
  int depth_ = 0;
};

void Decoder::refuse(Node node, std::string message) {
  if (!error_) error_ = Refusal{node, std::move(message)};
}

bool Decoder::may_go_on(Node node) {
  if (error_) return false;
  ++decoded_;
  if (alias_depth_ > 0) ++through_aliases_;
  if (is_excessive_aliasing(decoded_, through_aliases_)) {
    refuse(node, "document contains excessive aliasing");
  } else if (depth_ > max_depth) {
    refuse(node, "aliases nest too deeply");
  }
  return !error_;
}

Json Decoder::decode(Node node) {
  if (!may_go_on(node)) return {};
  Json result;
  ++depth_;
  switch (node.kind()) {
    case NodeKind::none:
      result.text = "null";
      break;
    case NodeKind::scalar:
      result = decode_scalar(node);
      break;
    case NodeKind::alias:
      ++alias_depth_;
      result = decode(node.resolved());
      --alias_depth_;
      break;
    case NodeKind::sequence:
      result.kind = Json::Kind::array;
      for (const Node item : node.children()) result.items.push_back(decode(item));
      break;
    case NodeKind::mapping: {
      Object object;
      fill(node, object);
      result = std::move(object.json);
      break;
    }
  }
  --depth_;
  return result;
}

Json Decoder::decode_scalar(Node node) {
  Json result;
  result.node = node;
  if (!is_kubernetes_readable(node)) {
    refuse(node,
           fmt::format("the value `{}` does not match its tag `{}`", node.text(), short_tag(node)));
  } else if (auto scalar = read_kubernetes_scalar(node)) {
    result.kind = scalar->type == Type::string ? Json::Kind::string : Json::Kind::text;
    result.text = std::move(scalar->text);
  } else {
    result.kind = Json::Kind::refused;
  }
  return result;
}

void Decoder::fill(Node mapping, Object& object) {
  const std::vector<Node> written = mapping.children();
  for (std::size_t i = 0; i + 1 < written.size() && !error_; i += 2) {
    if (is_merge(written[i])) {
      merge(written[i + 1], object);
    } else {
      add(written[i], written[i + 1], object);
    }
  }
}

void Decoder::merge(Node source, Object& object) {
  if (!source.is_sequence()) return merge_one(source, object);
  const std::vector<Node> sources = source.children();
  // Earlier mappings win, so they are written last.
  for (auto at = sources.rbegin(); at != sources.rend() && !error_; ++at) merge_one(*at, object);
}

void Decoder::merge_one(Node source, Object& object) {
  if (!source.resolved().is_mapping()) {
    return refuse(source, "map merge requires map or sequence of maps as the value");
  }
  if (!may_go_on(source)) return;
  ++depth_;
  if (source.is_alias()) ++alias_depth_;
  if (!source.is_alias() || may_go_on(source)) fill(source.resolved(), object);
  if (source.is_alias()) --alias_depth_;
  --depth_;
}

void Decoder::add(Node key, Node value, Object& object) {
  if (!may_go_on(key)) return;
  const Node written = key.resolved();
  if (!written.is_scalar()) return refuse(key, "a mapping or list cannot be a key");
  if (!is_kubernetes_readable(written)) {
    return refuse(key, fmt::format("the key `{}` does not match its tag `{}`", written.text(),
                                   short_tag(written)));
  }
  Entry entry{.key_type = kubernetes_key_type(written),
              .key = read_kubernetes_key(written),
              .value = decode(value)};
  entry.value.node = value ? value : key;
  if (!entry.key) entry.value.node = key;
  const bool is_nan = entry.key == ".nan" && entry.key_type == Type::floating;
  const std::string identity = fmt::format("{}{}", static_cast<int>(entry.key_type),
                                           entry.key ? *entry.key : std::string(written.text()));
  const auto [at, is_new] = object.by_key.try_emplace(identity, object.json.entries.size());
  if (is_new || is_nan) {
    object.json.entries.push_back(std::move(entry));
    return;
  }
  if (!repeated_) {
    repeated_ =
        Refusal{key, fmt::format("key `{}` is already set in this mapping", written.text())};
  }
  object.json.entries[at->second] = std::move(entry);
}

void append_string(std::string& out, std::string_view value) {
  out += '"';
  for (const char c : value) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

/// Writes JSON; its last step is where Kubernetes finds what JSON has no form for.
class Writer {
 public:
  explicit Writer(KubernetesJson& result) : result_(&result) {}

  void write(Json& json) {
    if (result_->error) return;
    switch (json.kind) {
      case Json::Kind::text:
        result_->text += json.text;
        break;
      case Json::Kind::string:
        append_string(result_->text, json.text);
        break;
      case Json::Kind::array:
        write_array(json);
        break;
      case Json::Kind::object:
        write_object(json);
        break;
      case Json::Kind::refused:
        refuse(json.node, fmt::format("JSON has no number `{}`", json.node.text()));
        break;
    }
  }

 private:
  void refuse(Node node, std::string message) {
    result_->error = Refusal{node, std::move(message)};
  }

  void write_array(Json& json) {
    result_->text += '[';
    for (Json& item : json.items) {
      if (&item != &json.items.front()) result_->text += ',';
      write(item);
    }
    result_->text += ']';
  }

  void write_object(Json& json) {
    for (const Entry& entry : json.entries) {
      if (!entry.key) return refuse(entry.value.node, "this key must be a string");
    }
    std::ranges::stable_sort(json.entries, {}, [](const Entry& e) { return *e.key; });
    result_->text += '{';
    for (std::size_t i = 0; i < json.entries.size(); ++i) {
      Entry& entry = json.entries[i];
      if (i + 1 < json.entries.size() && entry.key == json.entries[i + 1].key) {
        result_->unstable = true;
        continue;
      }
      if (result_->text.back() != '{') result_->text += ',';
      append_string(result_->text, *entry.key);
      result_->text += ':';
      write(entry.value);
    }
    result_->text += '}';
  }

  KubernetesJson* result_;
};

}  // namespace

KubernetesJson to_kubernetes_json(const Document& document) {
  KubernetesJson result;
  for (const SyntaxError& error : document.errors) {
    if (error.kind == SyntaxError::Kind::trailing) continue;
    result.error = Refusal{{}, error.message};
    return result;
  }
  if (document.is_template || document.has_masked_placeholders) {
    result.error = Refusal{{}, "this is a template that has yet to be filled in"};
    return result;
  }
  Decoder decoder;
  Json json = decoder.decode(root(document));
  result.error = decoder.error();
  Writer(result).write(json);
  if (result.error) {
    result.text.clear();
  } else {
    result.strict_error = decoder.repeated();
  }
  return result;
}

}  // namespace gpulint

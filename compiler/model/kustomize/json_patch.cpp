#include "compiler/model/kustomize/json_patch.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace gpulint::kustomize {
namespace {

[[nodiscard]] std::string unescaped(std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const char next = part[i] == '~' && i + 1 < part.size() ? part[i + 1] : '\0';
    const bool is_escape = next == '0' || next == '1';
    text.push_back(!is_escape ? part[i] : next == '0' ? '~' : '/');
    if (is_escape) ++i;
  }
  return text;
}

/// The parts of `/a/b`; nullopt for anything that does not begin with a slash.
[[nodiscard]] std::optional<std::vector<std::string>> parts_of(Node path) {
  std::string_view text = path.text();
  if (!path.is_scalar() || path.is_opaque() || !text.starts_with('/')) return std::nullopt;
  std::vector<std::string> parts;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    parts.push_back(unescaped(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return parts;
}

[[nodiscard]] std::optional<std::size_t> index_of(std::string_view part) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return index;
}

/// The value at a part of the path; null where there is none.
[[nodiscard]] Value* step(Value& at, const std::string& part) {
  if (at.is_mapping()) return at.find(part);
  const auto index = index_of(part);
  if (!at.is_sequence() || !index || *index >= at.items.size()) return nullptr;
  return &at.items[*index];
}

[[nodiscard]] bool add_to_mapping(Value& mapping, const std::string& name, Node path, Value value) {
  if (Value* known = mapping.find(name)) {
    *known = std::move(value);
    const auto at = std::ranges::find(mapping.entries, name, &Entry::name);
    at->key = path;
  } else {
    mapping.entries.push_back({path, name, std::move(value)});
  }
  return true;
}

[[nodiscard]] bool add_to_list(Value& list, const std::string& part, Value value) {
  const auto index = part == "-" ? list.items.size() : index_of(part);
  if (!index || *index > list.items.size()) return false;
  list.items.insert(list.items.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  return true;
}

[[nodiscard]] bool remove(Value& above, const std::string& part) {
  if (step(above, part) == nullptr) return false;
  if (above.is_mapping()) {
    above.erase(part);
  } else {
    above.items.erase(above.items.begin() + static_cast<std::ptrdiff_t>(*index_of(part)));
  }
  return true;
}

/// Where a path ends: what holds its last part, and that part.
struct Place {
  Value* above = nullptr;
  std::string part;
};

[[nodiscard]] std::optional<Place> find_place(Value& target, Node path) {
  const auto parts = parts_of(path);
  if (!parts || parts->empty()) return std::nullopt;
  Value* above = &target;
  for (std::size_t i = 0; i + 1 < parts->size() && above != nullptr; ++i) {
    above = step(*above, (*parts)[i]);
  }
  if (above == nullptr || (!above->is_mapping() && !above->is_sequence())) return std::nullopt;
  return Place{above, parts->back()};
}

[[nodiscard]] bool add(const Place& place, Node path, Value value) {
  return place.above->is_mapping()
             ? add_to_mapping(*place.above, place.part, path, std::move(value))
             : add_to_list(*place.above, place.part, std::move(value));
}

/// `move` and `copy`.
[[nodiscard]] bool transfer(Value& target, Node operation) {
  const auto from = find_place(target, operation.get("from"));
  Value* const known = from ? step(*from->above, from->part) : nullptr;
  if (known == nullptr) return false;
  Value value = *known;
  if (operation.get("op").text() == "move" && !remove(*from->above, from->part)) return false;
  const auto to = find_place(target, operation.get("path"));
  return to && add(*to, operation.get("path"), std::move(value));
}

[[nodiscard]] bool apply(Value& target, Node operation) {
  const Node path = operation.get("path");
  const std::string_view name = operation.get("op").text();
  if (name == "move" || name == "copy") return transfer(target, operation);
  const auto place = find_place(target, path);
  if (!place) return false;
  Value* const known = step(*place->above, place->part);
  if (name == "remove") return remove(*place->above, place->part);
  if (name == "test") return known != nullptr;  // what differs, kustomize refuses
  const Node written = operation.get("value");
  auto value = written ? read_value(written) : std::nullopt;
  if (!value || (name != "add" && name != "replace")) return false;
  if (name == "add" || place->above->is_mapping()) return add(*place, path, std::move(*value));
  if (known == nullptr) return false;
  *known = std::move(*value);
  return true;
}

/// Whether the path leads into an item of a list whose other fields decide what it means.
[[nodiscard]] bool leads_into_item(const std::vector<std::string>& parts) {
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const bool is_item = parts[i] == "-" || index_of(parts[i]);
    if (is_item && !parts[i - 1].ends_with("ontainers")) return true;
  }
  return false;
}

/// `value` below the parts of a path, of which a number or `-` is a list's.
[[nodiscard]] Value wrap(Value value, const std::vector<std::string>& parts, Node path) {
  for (const std::string& part : parts | std::views::reverse) {
    Value outer;
    outer.written = path;
    if (part == "-" || index_of(part)) {
      outer.kind = NodeKind::sequence;
      outer.items.push_back(std::move(value));
    } else {
      outer.kind = NodeKind::mapping;
      outer.entries.push_back({path, part, std::move(value)});
    }
    value = std::move(outer);
  }
  return value;
}

}  // namespace

bool apply_json_patch(Value& target, Node operations) {
  for (const Node operation : operations.items()) {
    if (!apply(target, operation)) return false;
  }
  return true;
}

std::vector<Value> written_by_json_patch(Node operations) {
  std::vector<Value> found;
  for (const Node operation : operations.items()) {
    const std::string_view name = operation.get("op").text();
    const Node path = operation.get("path");
    const auto parts = parts_of(path);
    if (!parts || !operation.get("value") || (name != "add" && name != "replace")) continue;
    if (leads_into_item(*parts)) continue;
    auto value = read_value(operation.get("value"));
    if (value && !value->is_null()) found.push_back(wrap(std::move(*value), *parts, path));
  }
  return found;
}

}  // namespace gpulint::kustomize

#include "compiler/model/kustomize/patches.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/key_path.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint::kustomize {
namespace {

constexpr std::string_view directive_key = "$patch";

struct MergeKey {
  std::string_view list;
  std::string_view key;
};

/// kubernetes/api/openapi-spec/swagger.json, v1.31: the lists of pods and service accounts.
constexpr std::array<MergeKey, 15> merge_keys{{{"claims", "name"},
                                               {"containers", "name"},
                                               {"env", "name"},
                                               {"ephemeralContainers", "name"},
                                               {"hostAliases", "ip"},
                                               {"imagePullSecrets", "name"},
                                               {"initContainers", "name"},
                                               {"ownerReferences", "uid"},
                                               {"resourceClaims", "name"},
                                               {"schedulingGates", "name"},
                                               {"secrets", "name"},
                                               {"topologySpreadConstraints", "topologyKey"},
                                               {"volumeDevices", "devicePath"},
                                               {"volumeMounts", "mountPath"},
                                               {"volumes", "name"}}};

/// The fields that identify the items of a keyed list; none: the list is replaced.
[[nodiscard]] std::vector<std::string_view> keys_of(std::string_view list, const Value& items) {
  if (list == "ports") {
    const auto is_of_container = [](const Value& item) { return item.find("containerPort"); };
    if (std::ranges::any_of(items.items, is_of_container)) return {"containerPort", "protocol"};
    return {"port", "protocol"};
  }
  const auto found = std::ranges::find(merge_keys, list, &MergeKey::list);
  if (found == merge_keys.end()) return {};
  if (list == "topologySpreadConstraints") return {found->key, "whenUnsatisfiable"};
  return {found->key};
}

[[nodiscard]] bool is_directive(std::string_view key) { return key.starts_with('$'); }

class Merger {
 public:
  explicit Merger(Lists lists) : lists_(lists) {}

  [[nodiscard]] Merged merge(Value& base, const Value& patch) {
    const std::string_view directive = patch.text(directive_key);
    if (directive == "delete") return Merged::deleted;
    if (!directive.empty() && directive != "replace" && directive != "merge") {
      return Merged::unknown;
    }
    if (directive == "replace") {
      base = written_by(patch);
      return Merged::changed;
    }
    for (const Entry& entry : patch.entries) {
      if (entry.name == directive_key) continue;
      if (is_directive(entry.name)) return Merged::unknown;
      if (!merge_entry(base, entry)) return Merged::unknown;
    }
    return Merged::changed;
  }

 private:
  [[nodiscard]] bool merge_entry(Value& base, const Entry& entry) {
    if (entry.value.is_null()) {
      base.erase(entry.name);
      return true;
    }
    Value* const known = base.find(entry.name);
    if (known == nullptr) {
      base.entries.push_back({entry.key, entry.name, written_by(entry.value)});
      return true;
    }
    if (known->is_mapping() && entry.value.is_mapping()) {
      const Merged merged = merge(*known, entry.value);
      if (merged == Merged::deleted) base.erase(entry.name);
      return merged != Merged::unknown;
    }
    if (known->is_sequence() && entry.value.is_sequence()) {
      return merge_lists(entry, *known) || replace(base, entry);
    }
    return replace(base, entry);
  }

  [[nodiscard]] bool replace(Value& base, const Entry& entry) const {
    if (is_unknown_) return false;
    const auto at = std::ranges::find(base.entries, entry.name, &Entry::name);
    *at = {entry.key, entry.name, written_by(entry.value)};
    return true;
  }

  /// False if the list is replaced, or if that is unknown.
  [[nodiscard]] bool merge_lists(const Entry& patch, Value& base) {
    const std::vector<std::string_view> keys = keys_of(patch.name, patch.value);
    const bool is_keyed =
        !keys.empty() && std::ranges::all_of(patch.value.items, &Value::is_mapping);
    if (lists_ == Lists::unknown) is_unknown_ = true;
    if (!is_keyed || lists_ != Lists::keyed) return false;
    std::vector<Value> merged;
    for (const Value& item : patch.value.items) {
      const std::string_view directive = item.text(directive_key);
      // `- $patch: replace` alone replaces the whole list by the patch's
      if (item.entries.size() == 1 && directive == "replace") return false;
      const auto at = std::ranges::find_if(base.items, [&](const Value& other) {
        return std::ranges::all_of(
            keys, [&](std::string_view key) { return other.text(key) == item.text(key); });
      });
      if (at == base.items.end()) {
        if (directive != "delete") merged.push_back(written_by(item));
        continue;
      }
      Value known = std::move(*at);
      base.items.erase(at);
      const Merged result = merge(known, item);
      if (result == Merged::unknown) is_unknown_ = true;
      if (result == Merged::changed) merged.push_back(std::move(known));
    }
    if (is_unknown_) return false;
    std::ranges::move(base.items, std::back_inserter(merged));
    base.items = std::move(merged);
    return true;
  }

  Lists lists_;
  bool is_unknown_ = false;
};

/// The parts of `/a/b`; nullopt for anything that does not begin with a slash.
[[nodiscard]] std::optional<std::vector<std::string>> parts_of(Node path) {
  std::string_view text = path.text();
  if (!path.is_scalar() || path.is_opaque() || !text.starts_with('/')) return std::nullopt;
  std::vector<std::string> parts;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    parts.push_back(unescape_pointer_segment(text.substr(0, end)));
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

/// The value at a part of the path; null if there is none.
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

/// The end of a path: the collection with its last part, and that part.
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
  if (name == "test") return known != nullptr;  // kustomize rejects values that differ
  const Node written = operation.get("value");
  auto value = written ? read_value(written) : std::nullopt;
  if (!value || (name != "add" && name != "replace")) return false;
  if (name == "add" || place->above->is_mapping()) return add(*place, path, std::move(*value));
  if (known == nullptr) return false;
  *known = std::move(*value);
  return true;
}

/// Whether the path leads into an item of a list whose other fields decide its meaning.
[[nodiscard]] bool leads_into_item(const std::vector<std::string>& parts) {
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const bool is_item = parts[i] == "-" || index_of(parts[i]);
    if (is_item && !parts[i - 1].ends_with("ontainers")) return true;
  }
  return false;
}

/// `value` below the parts of a path; a number or `-` means a list.
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

Lists lists_of(std::string_view api_version) {
  if (api_version == "v1" || api_version == "apps/v1" || api_version == "batch/v1") {
    return Lists::keyed;
  }
  const std::string_view group = api_group(api_version);
  const bool is_builtin = group.ends_with(".k8s.io") || group.find('.') == std::string_view::npos;
  return is_builtin ? Lists::unknown : Lists::replaced;
}

Merged merge(Value& base, const Value& patch, Lists lists) {
  return Merger(lists).merge(base, patch);
}

Value written_by(const Value& patch) {
  Value value = patch;
  std::erase_if(value.entries, [](const Entry& entry) {
    return is_directive(entry.name) || entry.value.is_null();
  });
  for (Entry& entry : value.entries) entry.value = written_by(entry.value);
  std::erase_if(value.items, [](const Value& item) {
    return !item.entries.empty() && (item.text(directive_key) == "delete" ||
                                     std::ranges::all_of(item.entries, [](const Entry& entry) {
                                       return is_directive(entry.name);
                                     }));
  });
  for (Value& item : value.items) item = written_by(item);
  return value;
}

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

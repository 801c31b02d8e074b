#include "compiler/model/kustomize/merge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

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

/// The fields that tell the items of a keyed list apart; none: the list is replaced.
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

  /// False where the list is replaced, or where it is unknown whether.
  [[nodiscard]] bool merge_lists(const Entry& patch, Value& base) {
    const std::vector<std::string_view> keys = keys_of(patch.name, patch.value);
    const bool is_keyed =
        !keys.empty() && std::ranges::all_of(patch.value.items, &Value::is_mapping);
    if (lists_ == Lists::unknown) is_unknown_ = true;
    if (!is_keyed || lists_ != Lists::keyed) return false;
    std::vector<Value> merged;
    for (const Value& item : patch.value.items) {
      const std::string_view directive = item.text(directive_key);
      // `- $patch: replace` alone makes the whole list the patch's.
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

}  // namespace gpulint::kustomize

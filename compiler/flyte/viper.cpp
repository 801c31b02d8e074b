#include "compiler/flyte/viper.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/decode.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

using Path = std::vector<std::string>;

[[nodiscard]] bool has_dot(std::string_view key) { return key.find('.') != std::string_view::npos; }

/// Positions of a map's keys. Of keys that differ only in letter case, viper uses one that is not
/// in lower case; of several such a random one, here the last.
using KeyIndex = std::unordered_map<std::string, std::size_t>;

enum class Fold : std::uint8_t { none, lower };

[[nodiscard]] KeyIndex index_keys(const ConfigValue& map, Fold fold = Fold::none) {
  KeyIndex index;
  index.reserve(map.entries.size());
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    const std::string& key = map.entries[i].key;
    if (fold == Fold::none) {
      index[key] = i;
      continue;
    }
    const std::string lower = to_lower(key);
    const auto [at, is_new] = index.try_emplace(lower, i);
    if (!is_new && key != lower) at->second = i;
  }
  return index;
}

/// viper's insensitiviseMap: every key in lower case.
[[nodiscard]] ConfigValue lower_keys(const ConfigValue& value) {
  ConfigValue result = value;
  for (ConfigValue& item : result.items) item = lower_keys(item);
  if (!value.is_map()) return result;
  result.has_odd_keys = false;
  result.entries.clear();
  KeyIndex seen;
  for (const ConfigEntry& entry : value.entries) {
    ConfigEntry lowered = make_entry(to_lower(entry.key), lower_keys(entry.value), entry.key_node);
    const auto [at, is_new] = seen.try_emplace(lowered.key, result.entries.size());
    if (is_new) {
      result.entries.push_back(std::move(lowered));
    } else if (entry.key != lowered.key) {
      result.entries[at->second] = std::move(lowered);
    }
  }
  return result;
}

[[nodiscard]] std::string join(const Path& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", fmt::join(path, "."), key);
}

/// The leaves of `plugins.k8s` that Flyte binds to environment variables: those that its defaults
/// show as JSON. viper passes a bound key's mapping on unchanged. It splits others into single
/// values, so nulls and empty mappings vanish.
class BoundKeys {
 public:
  explicit BoundKeys(FlyteVersion version)
      : types_(version), settings_(*types_.find("K8sPluginConfig")) {}

  [[nodiscard]] bool contains(const Path& path) const {
    if (path.size() < 3 || path[0] != "plugins" || path[1] != "k8s") return false;
    const std::string& key = path[2];
    if (!has_field(settings_, key)) return false;
    if (key == "co-pilot") {
      return path.size() == 4 && has_field(*types_.find("FlyteCoPilotConfig"), path[3]);
    }
    if (key == "accelerator-devices") return path.size() == 4 && is_built_in_device(path[3]);
    if (key == "accelerator-device-classes") {
      return path.size() == 5 && is_built_in_class(path[3]) &&
             has_field(*types_.find("AcceleratorDeviceClassConfig"), path[4]);
    }
    const bool is_taken_apart = key == "default-affinity" || key == "default-annotations";
    return path.size() == 3 && !is_taken_apart;
  }

 private:
  [[nodiscard]] static bool has_field(const GoStruct& structure, std::string_view name) {
    return std::ranges::find(structure.fields, name, &GoField::name) != structure.fields.end();
  }
  [[nodiscard]] static bool is_built_in_device(std::string_view key) {
    return std::ranges::any_of(flyte2_backend_devices(), [&](const BackendDevice& device) {
      return equal_fold(device.key, key);
    });
  }
  [[nodiscard]] static bool is_built_in_class(std::string_view key) {
    return key == "nvidia_gpu" || key == "google_tpu" || key == "amazon_neuron" ||
           key == "amd_gpu" || key == "habana_gaudi";
  }

  TypeTable types_;
  const GoStruct& settings_;
};

class ViperMerger {
 public:
  explicit ViperMerger(FlyteVersion version) : version_(version), bound_(version) {}

  [[nodiscard]] MergedSettings merge(std::span<const ConfigFile> files) {
    ConfigValue merged = make_map();
    Path path;
    for (const ConfigFile& file : files) {
      if (file.value.is_map()) merge_map(lower_keys(file.value), merged, path);
    }
    MergedSettings result;
    result.settings = make_map({}, merged.node);
    settle(merged, path, result.settings);
    for (const ConfigFile& file : files) {
      if (!file.value.is_map()) continue;
      restore_lists(result.settings, file.value);
      restore_dotted(result.settings, file.value);
    }
    result.lost = std::move(lost_);
    return result;
  }

 private:
  void merge_map(ConfigValue&& source, ConfigValue& target, Path& path);
  bool settle(const ConfigValue& map, Path& path, ConfigValue& out);
  void restore_lists(ConfigValue& map, const ConfigValue& raw);
  void restore_dotted(ConfigValue& map, const ConfigValue& raw);
  void restore_dotted_here(ConfigValue& map, const ConfigValue& raw);
  bool prune(ConfigValue& map, std::string_view dotted, Node winner);
  void lose(LostValue::Reason reason, std::string path, Node loser, Node winner) {
    if (loser) lost_.push_back({reason, std::move(path), loser, winner});
  }

  FlyteVersion version_;
  BoundKeys bound_;
  std::vector<LostValue> lost_;
};

/// viper's mergeMaps: only a mapping can change a mapping.
void ViperMerger::merge_map(ConfigValue&& source, ConfigValue& target, Path& path) {
  if (!target.node) target.node = source.node;
  KeyIndex index = index_keys(target);
  for (ConfigEntry& entry : source.entries) {
    const auto at = index.find(entry.key);
    if (at == index.end()) {
      index.emplace(entry.key, target.entries.size());
      target.entries.push_back(std::move(entry));
      continue;
    }
    ConfigEntry& known = target.entries[at->second];
    if (known.value.is_map() && entry.value.is_map()) {
      path.push_back(entry.key);
      merge_map(std::move(entry.value), known.value, path);
      path.pop_back();
    } else if (known.value.is_map()) {
      lose(LostValue::Reason::ignored, join(path, entry.key), entry.value.node, known.value.node);
    } else {
      lose(LostValue::Reason::replaced, join(path, entry.key), known.value.node, entry.value.node);
      known = std::move(entry);
    }
  }
}

/// viper's AllSettings. Keys with dots, which viper would split, are kept for restore_dotted.
/// Returns whether anything is left.
bool ViperMerger::settle(const ConfigValue& map, Path& path, ConfigValue& out) {
  bool has_leaf = false;
  for (const ConfigEntry& entry : map.entries) {
    ConfigEntry kept = make_entry(entry.key, entry.value, entry.key_node);
    bool is_left = !entry.value.is_null();
    if (entry.value.is_map()) {
      path.push_back(entry.key);
      if (!bound_.contains(path)) {
        kept.value = make_map({}, entry.value.node);
        is_left = settle(entry.value, path, kept.value);
      }
      path.pop_back();
    }
    if (!is_left) {
      const Node place = entry.value.node ? entry.value.node : entry.key_node;
      lose(LostValue::Reason::dropped, join(path, entry.key), place, {});
      continue;
    }
    has_leaf = true;
    if (!has_dot(entry.key)) out.entries.push_back(std::move(kept));
  }
  return has_leaf;
}

/// Flyte's restoreCaseSensitiveArrayKeys: lists are taken from the file again.
void ViperMerger::restore_lists(ConfigValue& map, const ConfigValue& raw) {
  const KeyIndex index = index_keys(raw, Fold::lower);
  for (ConfigEntry& entry : map.entries) {
    const auto at = index.find(to_lower(entry.key));
    if (at == index.end()) continue;
    const ConfigValue& written = raw.entries[at->second].value;
    if (written.is_null()) continue;
    if (entry.value.is_list()) {
      entry.value = written;
    } else if (entry.value.is_map() && written.is_map() && !written.has_odd_keys) {
      restore_lists(entry.value, written);
    }
  }
}

/// A map with fast lookup and removal of keys.
class MapEditor {
 public:
  explicit MapEditor(ConfigValue& map) : map_(map), index_(index_keys(map)) {}

  [[nodiscard]] ConfigValue* find(const std::string& key) {
    const auto at = index_.find(key);
    return at == index_.end() ? nullptr : &map_.entries[at->second].value;
  }
  void set(const ConfigEntry& entry) {
    const auto [at, is_new] = index_.try_emplace(entry.key, map_.entries.size());
    if (is_new) {
      map_.entries.push_back(entry);
    } else {
      map_.entries[at->second] = entry;
    }
  }
  void erase(const std::string& key) {
    const auto at = index_.find(key);
    if (at == index_.end()) return;
    erased_.push_back(at->second);
    index_.erase(at);
  }
  /// Removes the erased keys; the editor must not be used afterwards.
  void finish() {
    std::vector<bool> is_erased(map_.entries.size());
    for (const std::size_t at : erased_) is_erased[at] = true;
    std::size_t at = 0;
    std::erase_if(map_.entries, [&](const ConfigEntry&) { return is_erased[at++]; });
  }

 private:
  ConfigValue& map_;
  KeyIndex index_;
  std::vector<std::size_t> erased_;
};

/// Flyte's pruneSplitPath: a key with dots removes the value at the path that it spells. Returns
/// whether `map` is now empty.
bool ViperMerger::prune(ConfigValue& map, std::string_view dotted, Node winner) {
  const std::size_t dot = dotted.find('.');
  const std::string head(dotted.substr(0, dot));
  ConfigValue* child = map.find(head);
  if (child == nullptr) return false;
  if (dot == std::string_view::npos) {
    lose(LostValue::Reason::removed, head, child->node, winner);
  } else if (!child->is_map() || !prune(*child, dotted.substr(dot + 1), winner)) {
    return false;
  }
  map.erase(head);
  return map.entries.empty();
}

/// The keys with dots of one map, after those without. Version 1.16 keeps the lower-case spelling
/// next to the restored one if viper had not split the key.
void ViperMerger::restore_dotted_here(ConfigValue& map, const ConfigValue& raw) {
  const KeyIndex raw_keys = index_keys(raw);
  MapEditor editor(map);
  for (const ConfigEntry& entry : raw.entries) {
    if (!has_dot(entry.key)) continue;
    const std::string lower = to_lower(entry.key);
    const std::size_t dot = lower.find('.');
    const std::string head = lower.substr(0, dot);
    ConfigValue* sibling = editor.find(head);
    if (sibling != nullptr && sibling->is_map() &&
        prune(*sibling, std::string_view(lower).substr(dot + 1), entry.value.node)) {
      editor.erase(head);
    }
    const bool is_doubled = lower != entry.key && !raw_keys.contains(lower);
    if (version_ == FlyteVersion::v2 && is_doubled) editor.erase(lower);
    editor.set(entry);
  }
  editor.finish();
}

/// Flyte's restoreDottedMapKeys.
void ViperMerger::restore_dotted(ConfigValue& map, const ConfigValue& raw) {
  const KeyIndex folded = index_keys(map, Fold::lower);
  bool any_dotted = false;
  for (const ConfigEntry& entry : raw.entries) {
    any_dotted = any_dotted || has_dot(entry.key);
    if (has_dot(entry.key) || !entry.value.is_map() || entry.value.has_odd_keys) continue;
    const auto at = folded.find(to_lower(entry.key));
    if (at == folded.end()) continue;
    ConfigValue& known = map.entries[at->second].value;
    if (known.is_map()) restore_dotted(known, entry.value);
  }
  if (any_dotted) restore_dotted_here(map, raw);
}

}  // namespace

MergedSettings merge_config_files(std::span<const ConfigFile> files, FlyteVersion version) {
  return ViperMerger(version).merge(files);
}

}  // namespace gpulint::flyte

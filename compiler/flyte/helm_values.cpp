#include "compiler/flyte/helm_values.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace gpulint::flyte {
namespace {

class ValuesMerger {
 public:
  explicit ValuesMerger(std::vector<LostValue>& lost) : lost_(lost) {}

  /// `over` wins; null replaces too, and deletes later, over the chart's values.
  void merge(ConfigValue over, ConfigValue& base) {
    if (!base.node) base.node = over.node;
    auto index = index_keys(base);
    for (ConfigEntry& entry : over.entries) {
      const auto at = index.find(entry.key);
      if (at == index.end()) {
        base.entries.push_back(std::move(entry));
        continue;
      }
      ConfigEntry& known = base.entries[at->second];
      if (known.value.is_map() && entry.value.is_map()) {
        const Step step(*this, entry.key);
        merge(std::move(entry.value), known.value);
        known.key_node = entry.key_node;
        continue;
      }
      lose(entry.key, known, entry);
      known = std::move(entry);
    }
  }

  /// Helm's CoalesceValues: fills in what the user left to the chart.
  void coalesce(ConfigValue chart, ConfigValue& values) {
    std::unordered_map<std::string, std::size_t> index = index_keys(values);
    std::vector<std::string> deleted;
    for (ConfigEntry& entry : chart.entries) {
      const auto at = index.find(entry.key);
      if (at == index.end()) {
        values.entries.push_back(std::move(entry));
        continue;
      }
      ConfigEntry& known = values.entries[at->second];
      if (known.value.is_null()) {
        lose(entry.key, entry, known);
        deleted.push_back(entry.key);
      } else if (known.value.is_map() && entry.value.is_map()) {
        const Step step(*this, entry.key);
        coalesce(std::move(entry.value), known.value);
      }
    }
    for (const std::string& key : deleted) values.erase(key);
  }

 private:
  struct Step {
    Step(ValuesMerger& owner, const std::string& key) : merger(owner) {
      merger.path_.push_back(key);
    }
    ~Step() { merger.path_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ValuesMerger& merger;
  };

  [[nodiscard]] static std::unordered_map<std::string, std::size_t> index_keys(
      const ConfigValue& map) {
    std::unordered_map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < map.entries.size(); ++i) index[map.entries[i].key] = i;
    return index;
  }

  void lose(const std::string& key, const ConfigEntry& loser, const ConfigEntry& winner) {
    const auto reason =
        winner.value.is_null() ? LostValue::Reason::removed : LostValue::Reason::replaced;
    std::string path = path_.empty() ? key : fmt::format("{}.{}", fmt::join(path_, "."), key);
    if (loser.value.node) {
      lost_.push_back({reason, std::move(path), loser.value.node, winner.value.node});
    }
  }

  std::vector<LostValue>& lost_;
  std::vector<std::string> path_;
};

}  // namespace

MergedValues merge_values(std::span<const Node> layers, std::span<const ValueSetting> settings,
                          ConfigValue chart_values) {
  MergedValues result;
  result.values = make_map();
  ValuesMerger merger(result.lost);
  for (const Node layer : layers) {
    const Document* document = layer.document();
    if (document != nullptr && !document->errors.empty()) {
      result.problems.push_back(
          {{}, "failed to parse values: " + document->errors.front().message, layer});
    }
    ReadConfig read = read_helm_yaml(layer);
    for (ConfigProblem& problem : read.problems) result.problems.push_back(std::move(problem));
    if (read.value.is_map()) {
      merger.merge(std::move(read.value), result.values);
    } else if (!read.value.is_null()) {
      result.problems.push_back({{}, "values must be a mapping", layer});
    }
  }
  for (const ValueSetting& setting : settings) {
    std::string refusal = apply_setting(setting, result.values);
    if (refusal.empty()) continue;
    // Of what is not Flyte's section only Helm itself will speak.
    const std::size_t section = std::min(setting.path.find("plugins.k8s"), setting.path.size());
    result.problems.push_back({setting.path.substr(section),
                               std::string(helm_refuses_setting) + refusal, setting.path_node});
  }
  merger.coalesce(std::move(chart_values), result.values);
  return result;
}

}  // namespace gpulint::flyte

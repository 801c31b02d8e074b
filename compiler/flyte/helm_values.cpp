#include "compiler/flyte/helm_values.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

// charts/flyte-core/values.yaml of Flyte v1.16.8.
[[nodiscard]] ConfigValue core_values() {
  ConfigValue values = make_map();
  for (const char* component : {"flytepropeller", "flyteadmin"}) {
    values.at_or_add(component).set("enabled", make_boolean(true));
  }
  ConfigValue& config = values.at_or_add("configmap");
  ConfigValue& co_pilot =
      config.at_or_add("copilot").at_or_add("plugins").at_or_add("k8s").at_or_add("co-pilot");
  co_pilot.set("name", make_string("flyte-copilot-"));
  co_pilot.set("image", make_string("cr.flyte.org/flyteorg/flytecopilot:v1.16.8"));
  co_pilot.set("start-timeout", make_string("30s"));
  ConfigValue& k8s = config.at_or_add("k8s").at_or_add("plugins").at_or_add("k8s");
  k8s.set("default-env-vars", make_list());
  k8s.set("default-cpus", make_string("100m"));
  k8s.set("default-memory", make_string("100Mi"));
  ConfigValue& resources = config.at_or_add("task_resource_defaults").at_or_add("task_resources");
  ConfigValue& defaults = resources.at_or_add("defaults");
  defaults.set("cpu", make_string("100m"));
  defaults.set("memory", make_string("500Mi"));
  ConfigValue& limits = resources.at_or_add("limits");
  limits.set("cpu", make_integer(2));
  limits.set("memory", make_string("1Gi"));
  limits.set("gpu", make_integer(1));
  return values;
}

// charts/flyte-binary/values.yaml of Flyte v1.16.8 and Flyte 2.
[[nodiscard]] ConfigValue binary_values(FlyteVersion version) {
  ConfigValue values = make_map();
  const bool is_v2 = version == FlyteVersion::v2;
  ConfigValue& image = values.at_or_add("configuration").at_or_add("co-pilot").at_or_add("image");
  image.set("repository", make_string(is_v2 ? "cr.flyte.org/flyteorg/flyte-binary-v2"
                                            : "cr.flyte.org/flyteorg/flytecopilot"));
  image.set("tag", make_string(is_v2 ? "latest" : "v1.16.8"));
  return values;
}

constexpr std::size_t largest_index = 65536;
constexpr int deepest_name = 30;

/// Reads `path=value,path=value` once. Stops at the first mistake.
class SetParser {
 public:
  explicit SetParser(const ValueSetting& setting)
      : setting_(setting), text_(setting.path + "=" + setting.value) {}

  [[nodiscard]] std::string parse(ConfigValue& values) {
    while (at_ < text_.size() && error_.empty()) read_key(values, 0);
    return std::move(error_);
  }

 private:
  using Reading = ReleaseLayer::Reading;

  /// Text up to one of `stops`, which is also consumed.
  struct Run {
    std::string text;
    char stop = '\0';  // NUL: the text has ended
  };

  [[nodiscard]] Run read_until(std::string_view stops) {
    Run run;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (stops.find(c) != std::string_view::npos) {
        run.stop = c;
        return run;
      }
      if (c != '\\') {
        run.text += c;
      } else if (at_ < text_.size()) {
        run.text += text_[at_++];
      }
    }
    return run;
  }

  void read_key(ConfigValue& map, int depth) {
    const Run run = read_until("=[,.");
    switch (run.stop) {
      case '[':
        return read_list_of(run.text, map, depth);
      case '=':
        if (!run.text.empty()) return set(map, run.text, read_value());
        static_cast<void>(read_value());  // an empty name sets nothing
        return;
      case '.':
        return read_map_of(run.text, map, depth + 1);
      default:
        error_ = fmt::format("key `{}` has no value", run.text);
    }
  }

  void read_map_of(const std::string& key, ConfigValue& map, int depth) {
    if (depth > deepest_name) {
      error_ = fmt::format("a name has more than {} levels", deepest_name);
      return;
    }
    ConfigValue* const known = map.find(key);
    if (known != nullptr && !known->is_map() && !known->opaque) {
      error_ = fmt::format("`{}` is not a mapping, so no key can be set in it", key);
      return;
    }
    if (known != nullptr && known->is_map()) return read_key(*known, depth);
    ConfigValue inner = make_map({}, setting_.value_node);
    read_key(inner, depth);
    if (known == nullptr && !key.empty() && !inner.entries.empty()) set(map, key, std::move(inner));
  }

  void read_list_of(const std::string& key, ConfigValue& map, int depth) {
    const auto index = read_index();
    if (!index) return;
    ConfigValue* const known = map.find(key);
    const bool is_open = known != nullptr && known->opaque;
    if (known != nullptr && !known->is_list() && !is_open) {
      error_ = fmt::format("`{}` is not a list, so no item can be set in it", key);
      return;
    }
    ConfigValue list = known != nullptr && !is_open ? *known : make_list({}, setting_.value_node);
    read_item(list, *index, depth);
    if (is_open) return;
    if (setting_.reading == Reading::open) list = open_value();  // one unknown item of the list
    if (!key.empty()) set(map, key, std::move(list));
  }

  [[nodiscard]] std::optional<std::size_t> read_index() {
    const Run run = read_until("]");
    std::size_t index = 0;
    const char* const end = run.text.data() + run.text.size();
    const auto [behind, problem] = std::from_chars(run.text.data(), end, index);
    if (run.stop != ']' || problem != std::errc() || behind != end) {
      error_ = fmt::format("`[{}` is not an index", run.text);
      return std::nullopt;
    }
    if (index > largest_index) {
      error_ = fmt::format("index {} is greater than {}", index, largest_index);
      return std::nullopt;
    }
    return index;
  }

  /// The text after `name[0]`.
  void read_item(ConfigValue& list, std::size_t index, int depth) {
    const Run run = read_until("[.=");
    if (!run.text.empty() || run.stop == '\0') {
      error_ = fmt::format("unexpected `{}` after an index", run.text);
      return;
    }
    if (list.items.size() <= index) list.items.resize(index + 1);
    ConfigValue& item = list.items[index];
    if (run.stop == '=') {
      item = read_value();
    } else if (run.stop == '.') {
      if (!item.is_map()) item = make_map({}, setting_.value_node);
      read_key(item, depth);
    } else if (const auto inner = read_index()) {
      if (!item.is_list()) item = make_list({}, setting_.value_node);
      read_item(item, *inner, depth);
    }
  }

  [[nodiscard]] ConfigValue read_value() {
    if (setting_.reading == Reading::open) {
      at_ = text_.size();
      return open_value();
    }
    if (at_ == text_.size() || text_[at_] != '{') return value_of(read_until(",").text);
    ++at_;
    ConfigValue list = make_list({}, setting_.value_node);
    while (true) {
      const Run run = read_until(",}");
      if (run.stop == '\0') {
        error_ = "a list must end with `}`";
        return list;
      }
      list.items.push_back(value_of(run.text));
      if (run.stop == '}') break;
    }
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
    return list;
  }

  [[nodiscard]] ConfigValue open_value() const {
    ConfigValue value = make_string({}, setting_.value_node);
    value.opaque = true;
    return value;
  }

  [[nodiscard]] ConfigValue value_of(const std::string& text) const {
    const Node node = setting_.value_node;
    if (node.is_opaque()) return open_value();
    if (setting_.reading == Reading::text) return make_string(text, node);
    if (equal_fold(text, "true") || equal_fold(text, "false")) {
      return make_boolean(equal_fold(text, "true"), node);
    }
    if (equal_fold(text, "null")) return make_null(node);
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const char* const begin = text.starts_with('+') ? text.data() + 1 : text.data();
    const auto [behind, problem] = std::from_chars(begin, end, number);
    const bool is_octal = text.starts_with('0') && text != "0";
    const bool has_sign_alone = begin != text.data() && text.substr(1).starts_with('-');
    if (problem == std::errc() && behind == end && begin != end && !is_octal && !has_sign_alone) {
      return make_integer(number, node);
    }
    return make_string(text, node);
  }

  void set(ConfigValue& map, const std::string& key, ConfigValue value) {
    map.set(key, std::move(value), setting_.path_node);
  }

  const ValueSetting& setting_;
  std::string text_;
  std::size_t at_ = 0;
  std::string error_;
};

class ValuesMerger {
 public:
  explicit ValuesMerger(std::vector<LostValue>& lost) : lost_(lost) {}

  /// `over` takes precedence; null also replaces, and later deletes keys of the chart's values.
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

  /// Helm's CoalesceValues: adds the chart's values that the user did not set.
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

ChartInfo chart_info(FlyteChart chart, FlyteVersion version) {
  if (chart == FlyteChart::core) return {"flyte-core", "v1.16.8"};
  return {"flyte-binary", version == FlyteVersion::v2 ? "v2, August 2026" : "v1.16.8"};
}

ConfigValue chart_values(FlyteChart chart, FlyteVersion version) {
  return chart == FlyteChart::core ? core_values() : binary_values(version);
}

std::vector<std::string_view> chart_value_keys(FlyteChart chart) {
  if (chart == FlyteChart::core) {
    return {"cloud_events",
            "cluster_resource_manager",
            "common",
            "configmap",
            "databricks",
            "datacatalog",
            "db",
            "deployRedoc",
            "external_events",
            "flyteadmin",
            "flyteagent",
            "flyteconnector",
            "flyteconsole",
            "flytepropeller",
            "flytescheduler",
            "secrets",
            "sparkoperator",
            "storage",
            "webhook",
            "workflow_notifications",
            "workflow_scheduler"};
  }
  return {"clusterResourceTemplates",
          "commonAnnotations",
          "commonLabels",
          "configuration",
          "deployment",
          "enabled_plugins",
          "flyte-core-components",
          "flyteagent",
          "flyteconnector",
          "fullnameOverride",
          "ingress",
          "nameOverride",
          "rbac",
          "service",
          "serviceAccount"};
}

std::string binary_name(const ConfigValue& values, std::string_view release) {
  const auto text = [&](std::string_view key) {
    const ConfigValue* value = values.find(key);
    return value == nullptr || value->is_null() ? std::string() : value->text;
  };
  constexpr std::size_t longest = 63;
  if (const std::string full = text("fullnameOverride"); !full.empty()) {
    return full.substr(0, longest);
  }
  const std::string override = text("nameOverride");
  const std::string name = override.empty() ? "flyte-binary" : override;
  if (release.find(name) != std::string_view::npos) return std::string(release.substr(0, longest));
  return fmt::format("{}-{}", release, name).substr(0, longest);
}

std::string apply_setting(const ValueSetting& setting, ConfigValue& values) {
  return SetParser(setting).parse(values);
}

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
    // outside of Flyte's section only Helm itself reports
    const std::size_t section = std::min(setting.path.find("plugins.k8s"), setting.path.size());
    result.problems.push_back({setting.path.substr(section),
                               std::string(helm_refuses_setting) + refusal, setting.path_node});
  }
  merger.coalesce(std::move(chart_values), result.values);
  return result;
}

}  // namespace gpulint::flyte

#include "compiler/flyte/helm_chart.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/go_scalar.h"
#include "compiler/flyte/helm_defaults.h"
#include "compiler/flyte/helm_template.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool has_action(std::string_view text) {
  return text.find("{{") != std::string_view::npos;
}

/// Whether toYaml prints a text without quotes, so that what a template makes of it is read anew.
[[nodiscard]] bool prints_plain(std::string_view text) {
  constexpr std::string_view indicators = "-?:,[]{}#&*!|>'\"%@` ";
  return !text.empty() && indicators.find(text.front()) == std::string_view::npos &&
         text.back() != ' ' && text.back() != ':' && text.find(": ") == std::string_view::npos &&
         text.find(" #") == std::string_view::npos && text.find('\n') == std::string_view::npos;
}

/// Below a parent chart's key a chart bears that key for its name.
[[nodiscard]] std::string chart_name(const HelmRelease& release) {
  if (!release.subchart.empty()) return release.subchart;
  return std::string(chart_info(release.chart, release.version).name);
}

class Renderer {
 public:
  explicit Renderer(const HelmRelease& release) : release_(release) {
    MergedValues merged = merge_values(release.layers, release.settings,
                                       chart_values(release.chart, release.version));
    values_ = std::move(merged.values);
    result_.lost = std::move(merged.lost);
    result_.problems = std::move(merged.problems);
    chart_keys_ = chart_value_keys(release.chart);
    context_ = {&values_, &chart_keys_, chart_name(release), release.name, release.name_space};
  }

  [[nodiscard]] ReleaseConfig render() {
    check_other_templates();
    if (result_.problems.empty()) {
      if (release_.chart == FlyteChart::core) {
        render_core();
      } else {
        render_binary();
      }
    }
    return std::move(result_);
  }

 private:
  void render_core();
  void render_binary();
  void check_other_templates();
  void check_choice(const ConfigValue* value, std::initializer_list<std::string_view> allowed);
  [[nodiscard]] ConfigValue plugins_file();
  void add_block(const char* file, const ConfigValue* block, std::vector<ConfigFile>& files);
  void apply_template(ConfigValue& value);
  void apply_template_to_text(ConfigValue& value);
  [[nodiscard]] const ConfigValue* table(const char* key);
  [[nodiscard]] bool is_enabled(const char* component) const;
  void refuse(std::string message, Node node) {
    result_.problems.push_back({{}, std::move(message), node});
  }

  const HelmRelease& release_;
  ConfigValue values_;
  std::vector<std::string_view> chart_keys_;
  TemplateContext context_;
  ReleaseConfig result_;
};

/// A mapping of the values that templates look into; anything else breaks them.
const ConfigValue* Renderer::table(const char* key) {
  const ConfigValue* value = values_.find(key);
  if (value != nullptr && value->is_map()) return value;
  refuse(fmt::format("`{}` must be a mapping", key), value == nullptr ? values_.node : value->node);
  return nullptr;
}

bool Renderer::is_enabled(const char* component) const {
  const ConfigValue* value = values_.find_path({component, "enabled"});
  return value != nullptr && !value->is_empty() &&
         (value->kind != ConfigValue::Kind::boolean || value->boolean);
}

void Renderer::check_choice(const ConfigValue* value,
                            std::initializer_list<std::string_view> allowed) {
  if (value == nullptr || value->opaque || !value->is_string()) return;
  if (std::ranges::find(allowed, value->text) != allowed.end()) return;
  refuse(fmt::format("`{}` is none of {}", value->text, fmt::join(allowed, ", ")), value->node);
}

/// What the charts' templates refuse elsewhere, so that nothing is rendered at all.
void Renderer::check_other_templates() {
  if (release_.chart == FlyteChart::binary) {
    const ConfigValue* storage = values_.find_path({"configuration", "storage"});
    if (storage == nullptr) return;
    const ConfigValue* provider = storage->find("provider");
    check_choice(provider, {"s3", "azure", "gcs"});
    if (provider != nullptr && provider->text != "s3") return;
    check_choice(storage->find_path({"providerConfig", "s3", "authType"}), {"iam", "accesskey"});
    return;
  }
  const ConfigValue* role =
      values_.find_path({"flyteadmin", "serviceAccount", "createClusterRole"});
  if (role == nullptr || role->is_null()) return;
  refuse("`flyteadmin.serviceAccount.createClusterRole` is set, which is now `rbac`", role->node);
}

void Renderer::apply_template_to_text(ConfigValue& value) {
  const TemplateResult printed = evaluate_template(value.text, context_);
  if (printed.state == TemplateResult::State::failure) {
    refuse(printed.text, value.node);
    return;
  }
  value.opaque = printed.state == TemplateResult::State::opaque;
  if (value.opaque) return;
  if (!prints_plain(value.text)) {
    value.text = printed.text;
    return;
  }
  if (!prints_plain(printed.text)) {
    value.opaque = !printed.text.empty();
    if (printed.text.empty()) value = make_null(value.node);
    return;
  }
  const Node node = value.node;
  const GoScalar scalar = resolve_plain(printed.text);
  using Type = GoScalar::Type;
  if (scalar.type == Type::boolean) {
    value = make_boolean(scalar.boolean, node);
  } else if (scalar.type == Type::integer) {
    value = make_integer(scalar.integer, node);
  } else {
    value.text = scalar.text;
  }
}

/// `tpl` over a block, which Helm prints with its keys in order: every text in it may hold actions.
void Renderer::apply_template(ConfigValue& value) {
  if (value.is_string() && has_action(value.text)) apply_template_to_text(value);
  for (ConfigValue& item : value.items) apply_template(item);
  for (ConfigEntry& entry : value.entries) {
    if (has_action(entry.key)) {
      TemplateResult key = evaluate_template(entry.key, context_);
      if (key.state == TemplateResult::State::text) entry.key = std::move(key.text);
      entry.weak_key = entry.key;
    }
    apply_template(entry.value);
  }
  std::ranges::stable_sort(value.entries, {}, &ConfigEntry::key);
}

void Renderer::add_block(const char* file, const ConfigValue* block,
                         std::vector<ConfigFile>& files) {
  if (block == nullptr || block->is_empty()) return;
  ConfigFile& added = files.emplace_back();
  added.name = file;
  added.value = *block;
  apply_template(added.value);
  if (added.value.is_map()) return;
  added.problems.push_back({{}, std::string(no_mapping), block->node});
}

// templates/propeller/configmap.yaml and templates/admin/configmap.yaml of flyte-core.
void Renderer::render_core() {
  const ConfigValue* config = table("configmap");
  if (config == nullptr) return;
  const auto optional_plugin = [&](const char* file, const char* component) {
    if (is_enabled(component)) {
      add_block(file, values_.find_path({component, "plugin_config"}), result_.propeller);
    }
  };
  if (is_enabled("flytepropeller")) {
    result_.has_propeller = true;
    for (const char* name :
         {"admin", "catalog", "catalog_cache", "copilot", "core", "enabled_plugins", "k8s",
          "logger", "otel", "resource_manager", "task_logs"}) {
      add_block(fmt::format("{}.yaml", name).c_str(), config->find(name), result_.propeller);
    }
    optional_plugin("spark.yaml", "sparkoperator");
    optional_plugin("databricks.yaml", "databricks");
    optional_plugin("connector_service.yaml", "flyteconnector");
    optional_plugin("agent_service.yaml", "flyteagent");
    std::ranges::stable_sort(result_.propeller, {}, &ConfigFile::name);
  }
  if (is_enabled("flyteadmin")) {
    result_.has_admin = true;
    add_block("domain.yaml", config->find("domain"), result_.admin);
    add_block("logger.yaml", config->find("logger"), result_.admin);
    add_block("remoteData.yaml", config->find("remoteData"), result_.admin);
    add_block("server.yaml", config->find("adminServer"), result_.admin);
    add_block("task_resource_defaults.yaml", config->find("task_resource_defaults"), result_.admin);
  }
}

/// 001-plugins.yaml of flyte-binary, its `plugins.k8s`.
ConfigValue Renderer::plugins_file() {
  ConfigValue file = make_map();
  ConfigValue& k8s = file.at_or_add("plugins").at_or_add("k8s");
  ConfigValue& co_pilot = k8s.at_or_add("co-pilot");
  const ConfigValue* image = values_.find_path({"configuration", "co-pilot", "image"});
  if (image != nullptr && !image->is_empty()) {
    const auto part = [&](const char* key) {
      const ConfigValue* value = image->find(key);
      return value == nullptr || value->is_null() ? std::string("%!s(<nil>)") : value->text;
    };
    co_pilot = make_map();
    co_pilot.set("image",
                 make_string(fmt::format("{}:{}", part("repository"), part("tag")), image->node));
  }
  if (release_.version != FlyteVersion::v2) return file;
  const auto variable = [](const char* name, std::string_view value) {
    ConfigValue item = make_map();
    item.set(name, make_string(value));
    return item;
  };
  k8s.set("default-env-vars",
          make_list({variable("_U_EP_OVERRIDE",
                              fmt::format("{}-http.{}:8090",
                                          binary_name(values_, release_.name.value_or("flyte")),
                                          release_.name_space.value_or("flyte"))),
                     variable("_U_INSECURE", "true"), variable("_U_USE_ACTIONS", "1")}));
  return file;
}

// templates/configmap.yaml of flyte-binary. Files of `inlineConfigMap`, `inlineSecretRef` and the
// like are not in the values; Secrets hold nothing that matters here.
void Renderer::render_binary() {
  const ConfigValue* config = table("configuration");
  if (config == nullptr) return;
  for (const char* external : {"externalConfigMap", "externalSecretRef"}) {
    const ConfigValue* value = config->find(external);
    if (value != nullptr && !value->is_empty()) return;
  }
  result_.has_propeller = true;
  result_.has_admin = release_.version == FlyteVersion::v1;
  result_.propeller.push_back({"001-plugins.yaml", plugins_file(), {}});
  add_block("100-inline-config.yaml", config->find("inline"), result_.propeller);
  if (result_.has_admin) result_.admin = result_.propeller;
}

}  // namespace

ReleaseConfig render_release(const HelmRelease& release) { return Renderer(release).render(); }

}  // namespace gpulint::flyte

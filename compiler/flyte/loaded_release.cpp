#include "compiler/flyte/loaded_release.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/complete_release.h"
#include "compiler/flyte/helm_values.h"
#include "compiler/flyte/read_config.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/scope/document_role.h"

namespace gpulint::flyte {
namespace {

void load(std::span<const ConfigFile> propeller, std::span<const ConfigFile> admin,
          LoadedRelease& loaded) {
  const FlyteVersion version = loaded.version;
  if (loaded.has_propeller) loaded.propeller = load_flyte_config(propeller, version);
  if (!loaded.has_admin || version != FlyteVersion::v1) return;
  loaded.admin = load_flyte_config(admin, version);
  loaded.platform = platform_resources(loaded.admin.task_resources);
}

[[nodiscard]] ConfigFile read_file(const Document& document, std::string name) {
  ReadConfig read = read_go_yaml(document);
  return {std::move(name), std::move(read.value), std::move(read.problems)};
}

/// Unset values may be set in other files. `gpu-resource-name` keeps its default: few users set it,
/// and without it nothing is known about a task's accelerator.
void open_defaults(FlyteConfig& config) {
  const auto open = [&](const char* key, Field<std::string>& field) {
    const bool is_said = bool(config.find_setting(std::string("plugins.k8s.") + key));
    if (field.is_known() && !is_said) field = Field<std::string>::opaque({});
  };
  open("gpu-device-node-label", config.k8s.gpu_device_node_label);
  open("gpu-partition-size-node-label", config.k8s.gpu_partition_size_node_label);
  open("scheduler-name", config.k8s.scheduler_name);
}

/// In any letter case, as Flyte reads keys.
[[nodiscard]] bool has_key(const ConfigFile& file, std::string_view key) {
  return file.value.is_map() &&
         std::ranges::any_of(file.value.entries,
                             [&](const ConfigEntry& entry) { return equal_fold(entry.key, key); });
}

/// Whether only flyteadmin reads a file with such sections.
[[nodiscard]] bool is_admin_file(const ConfigFile& file) {
  return has_key(file, "task_resources") || has_key(file, "flyteadmin") ||
         has_key(file, "server") || has_key(file, "domains");
}

[[nodiscard]] bool is_propeller_file(const ConfigFile& file) {
  return has_key(file, "plugins") || has_key(file, "propeller") || has_key(file, "tasks");
}

/// The configuration files of one ConfigMap or Secret.
struct ConfigMap {
  Node object;
  std::vector<ConfigFile> files;
  std::vector<const Document*> documents;
  bool is_admin = false;
  bool is_propeller = false;
};

/// Whether a document without signs of Flyte or of another program has a key of the declared
/// chart's values.
[[nodiscard]] bool is_of_chart(const Document& document, FlyteChart chart) {
  const Node top = root(document);
  if (chart == FlyteChart::unknown || document.host != nullptr) return false;
  if (!top.is_mapping() || (top.get("apiVersion") && top.get("kind"))) return false;
  if (!roles_of(document).empty()) return false;
  return std::ranges::any_of(chart_value_keys(chart),
                             [&](std::string_view key) { return bool(top.get(key)); });
}

/// The chart of layers without signs of Flyte, by the key for configuration in each chart.
[[nodiscard]] FlyteChart chart_of_keys(std::span<const Node> layers) {
  const auto has = [&](std::string_view key) {
    return std::ranges::any_of(layers, [&](Node layer) { return layer.get(key).is_mapping(); });
  };
  if (has("configmap")) return FlyteChart::core;
  return has("configuration") ? FlyteChart::binary : FlyteChart::unknown;
}

[[nodiscard]] std::string subchart_key(const FlyteDocument& known) {
  return known.root == known.values ? std::string() : std::string(known.root.key().text());
}

[[nodiscard]] std::string text_at(Node node) { return std::string(node.text()); }

class Finder {
 public:
  Finder(std::span<const Document* const> documents, const SourceSet& sources,
         const Settings& settings)
      : documents_(documents), sources_(sources), settings_(settings) {}

  [[nodiscard]] std::vector<LoadedRelease> find() {
    add_layers();
    add_values();
    add_config_maps();
    add_bare_config();
    return std::move(found_);
  }

 private:
  void add_layers();
  void add_values();
  [[nodiscard]] std::vector<FlyteDocument> values_in(const Document& document) const;
  void add_config_maps();
  void add_bare_config();
  void add_data_plane(const Document& document);
  void add_release(HelmRelease release, std::vector<const Document*> documents);
  void add_group(std::vector<ConfigMap> group);
  void set_version(LoadedRelease& loaded) const;
  [[nodiscard]] bool is_layer(const Document& document) const {
    return std::ranges::find(settings_.values_layers, sources_.file(document.file).path()) !=
           settings_.values_layers.end();
  }

  std::span<const Document* const> documents_;
  const SourceSet& sources_;
  const Settings& settings_;
  std::vector<LoadedRelease> found_;
};

void Finder::set_version(LoadedRelease& loaded) const {
  FlyteVersion version = settings_.flyte_version;
  if (version == FlyteVersion::unknown) version = detect_version(loaded.documents);
  if (version == FlyteVersion::unknown) version = detect_version(documents_);
  loaded.version_is_known = version != FlyteVersion::unknown;
  loaded.version = loaded.version_is_known ? version : FlyteVersion::v1;
}

void Finder::add_release(HelmRelease release, std::vector<const Document*> documents) {
  LoadedRelease versioned;
  versioned.documents = documents;
  set_version(versioned);
  const bool is_core = release.chart == FlyteChart::core;
  release.version = is_core ? FlyteVersion::v1 : versioned.version;
  LoadedRelease loaded = load_release(release);
  loaded.version_is_known = versioned.version_is_known || is_core;
  loaded.documents = std::move(documents);
  found_.push_back(std::move(loaded));
}

/// The layers that the settings name, in order; a layer without signs of Flyte starts at its top.
void Finder::add_layers() {
  HelmRelease release;
  std::vector<const Document*> documents;
  FlyteChart chart = settings_.flyte_chart;
  for (const std::string& path : settings_.values_layers) {
    const auto at = std::ranges::find_if(documents_, [&](const Document* document) {
      return document->host == nullptr && sources_.file(document->file).path() == path;
    });
    if (at == documents_.end()) continue;
    const FlyteDocument known = recognize(**at);
    const FlyteChart of_content = chart_of(known.kind);
    const bool is_values = of_content != FlyteChart::unknown;
    if (chart == FlyteChart::unknown) chart = of_content;
    release.layers.push_back(is_values ? known.root : root(**at));
    if (is_values && release.subchart.empty()) release.subchart = subchart_key(known);
    documents.push_back(*at);
  }
  // a declared chart without values is a release with its defaults
  const bool is_declared =
      settings_.flyte_chart != FlyteChart::unknown && settings_.values_layers.empty();
  if (release.layers.empty() && !(is_declared && documents_.empty())) return;
  if (chart == FlyteChart::unknown) chart = chart_of_keys(release.layers);
  if (chart == FlyteChart::unknown) return;
  release.chart = chart;
  add_release(std::move(release), std::move(documents));
}

/// The values in a document that names no other layers.
std::vector<FlyteDocument> Finder::values_in(const Document& document) const {
  std::vector<FlyteDocument> found = find_flyte(document);
  // if values are named, no other file counts because of its keys alone: other charts also have
  // them
  if (!found.empty() || !settings_.values_layers.empty()) return found;
  if (!is_of_chart(document, settings_.flyte_chart)) return found;
  const bool is_core = settings_.flyte_chart == FlyteChart::core;
  const DocumentKind kind = is_core ? DocumentKind::core_values : DocumentKind::binary_values;
  return {{kind, root(document), root(document), {}}};
}

void Finder::add_values() {
  std::vector<PendingRelease> pending;
  for (const Document* document : documents_) {
    if (is_layer(*document)) continue;
    for (const FlyteDocument& known : values_in(*document)) {
      const FlyteChart chart = chart_of(known.kind);
      if (chart == FlyteChart::unknown) continue;
      const bool is_next_layer = known.release && !pending.empty() &&
                                 pending.back().installed_by == known.release &&
                                 pending.back().release.chart == chart;
      if (!is_next_layer) {
        pending.emplace_back().release.chart = chart;
        pending.back().installed_by = known.release;
      }
      PendingRelease& last = pending.back();
      last.release.layers.push_back(known.root);
      if (last.release.subchart.empty()) last.release.subchart = subchart_key(known);
      if (last.documents.empty() || last.documents.back() != document) {
        last.documents.push_back(document);
      }
    }
  }
  complete_releases(documents_, sources_, pending);
  for (PendingRelease& each : pending) {
    add_release(std::move(each.release), std::move(each.documents));
  }
}

void Finder::add_config_maps() {
  using Place = std::tuple<FileId, std::uint32_t, NodeIndex>;
  std::map<Place, ConfigMap> maps;  // in document order
  std::set<Place> of_flyte;         // other ConfigMaps also have `plugins`
  for (const Document* document : documents_) {
    if (document->host == nullptr) continue;
    const auto entry = data_entry(Node(*document->host, document->host_node));
    if (!entry) continue;
    const std::string name(entry->key);
    const Node object = entry->object;  // perhaps in a List
    const bool is_yaml = name.ends_with(".yaml") || name.ends_with(".yml");
    if (!is_yaml || !object.get("metadata") || document->index != 0) continue;
    if (recognize(*document).kind != DocumentKind::none) continue;  // a chart's values
    const Place place{document->host->file, document->host->index, object.index()};
    if (is_mounted_flyte_config(*document)) of_flyte.insert(place);
    ConfigMap& map = maps[place];
    map.object = object;
    map.files.push_back(read_file(*document, name));
    map.documents.push_back(document);
    map.is_admin = map.is_admin || is_admin_file(map.files.back());
    // it is not a mapping, but its neighbours matter
    map.is_propeller =
        map.is_propeller || is_propeller_file(map.files.back()) || !map.files.back().value.is_map();
  }
  std::map<std::pair<std::string, std::string>, std::vector<ConfigMap>> groups;
  for (auto& [place, map] : maps) {
    if (!of_flyte.contains(place)) continue;
    const Node metadata = map.object.get("metadata");
    const std::string instance = text_at(metadata.at("labels", "app.kubernetes.io/instance"));
    groups[{text_at(metadata.get("namespace")), instance}].push_back(std::move(map));
  }
  for (auto& [name, group] : groups) add_group(std::move(group));
}

/// The ConfigMaps of one release: one that propeller reads, perhaps one only of flyteadmin; the
/// others (Secrets) add files to a single binary.
void Finder::add_group(std::vector<ConfigMap> group) {
  LoadedRelease loaded;
  loaded.source = LoadedRelease::Source::manifests;
  std::vector<ConfigFile> propeller;
  std::vector<ConfigFile> admin;
  const bool has_own_admin = std::ranges::any_of(
      group, [](const ConfigMap& map) { return map.is_admin && !map.is_propeller; });
  for (ConfigMap& map : group) {
    const bool is_admins = has_own_admin && !map.is_propeller;
    std::ranges::copy(map.documents, std::back_inserter(loaded.documents));
    loaded.has_propeller = loaded.has_propeller || map.is_propeller;
    std::ranges::move(map.files, std::back_inserter(is_admins ? admin : propeller));
  }
  if (!loaded.has_propeller && !has_own_admin) return;
  loaded.chart = has_own_admin ? FlyteChart::core : FlyteChart::binary;
  loaded.has_admin = has_own_admin || std::ranges::any_of(propeller, is_admin_file) ||
                     std::ranges::any_of(propeller, [](const ConfigFile& file) {
                       return has_key(file, "cluster_resources");
                     });
  std::ranges::stable_sort(propeller, {}, &ConfigFile::name);
  std::ranges::stable_sort(admin, {}, &ConfigFile::name);
  set_version(loaded);
  load(propeller, has_own_admin ? admin : propeller, loaded);
  found_.push_back(std::move(loaded));
}

/// Values of Union's data plane, whose chart adds files to those in the values.
void Finder::add_data_plane(const Document& document) {
  ReadConfig read = read_go_yaml(document);
  const ConfigValue* const file = read.value.find_path({"config", "k8s"});
  if (file == nullptr) return;
  const ConfigFile k8s{sources_.file(document.file).path(), *file, std::move(read.problems)};
  LoadedRelease versioned;
  versioned.documents = {&document};
  set_version(versioned);
  LoadedRelease loaded = load_files({&k8s, 1}, versioned.version);
  loaded.version_is_known = versioned.version_is_known;
  loaded.source = LoadedRelease::Source::values;
  loaded.documents = {&document};
  loaded.is_partial = true;
  open_defaults(loaded.propeller);
  found_.push_back(std::move(loaded));
}

void Finder::add_bare_config() {
  std::vector<ConfigFile> files;
  std::vector<const Document*> documents;
  for (const Document* document : documents_) {
    // Flyte reads the first document of a file; in a stream, nodes and manifests may come before
    // it.
    const bool is_second = !documents.empty() && documents.back()->file == document->file;
    if (is_second || is_layer(*document)) continue;
    const FlyteDocument known = recognize(*document);
    if (known.kind != DocumentKind::config) continue;
    if (known.root != root(*document)) {
      add_data_plane(*document);
      continue;
    }
    files.push_back(read_file(*document, sources_.file(document->file).path()));
    documents.push_back(document);
  }
  if (files.empty()) return;
  LoadedRelease versioned;
  versioned.documents = documents;
  set_version(versioned);
  LoadedRelease loaded = load_files(files, versioned.version);
  loaded.version_is_known = versioned.version_is_known;
  loaded.documents = std::move(documents);
  found_.push_back(std::move(loaded));
}

[[nodiscard]] std::vector<Deletion> find_deletions(std::span<const LostValue> lost_values) {
  std::vector<Deletion> deletions;
  for (const LostValue& lost : lost_values) {
    const std::size_t section = lost.path.find("plugins.k8s.");
    if (lost.reason != LostValue::Reason::removed || !lost.winner) continue;
    if (section != std::string::npos) deletions.push_back({lost.path.substr(section), lost.winner});
  }
  return deletions;
}

[[nodiscard]] bool is_tag_of_version2(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return text.find("flyte-binary-v2") != std::string_view::npos ||
         (text.find("flyteorg/flyte") != std::string_view::npos &&
          colon != std::string_view::npos && text.substr(colon + 1).starts_with("v2"));
}

[[nodiscard]] bool is_tag_of_version1(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (text.find("flyteorg/") == std::string_view::npos || colon == std::string_view::npos) {
    return false;
  }
  return text.substr(colon + 1).starts_with("v1.");
}

constexpr std::array version2_keys{"accelerator-devices", "accelerator-device-classes",
                                   "disable-inject-owner-references", "_U_EP_OVERRIDE"};
constexpr std::array version1_keys{"enable-distributed-error-aggregation", "datacatalog",
                                   "flytepropeller", "flyteadmin"};

[[nodiscard]] bool is_one_of(std::span<const char* const> keys, std::string_view text) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return equal_fold(key, text); });
}

}  // namespace

LoadedRelease load_files(std::span<const ConfigFile> files, FlyteVersion version) {
  LoadedRelease loaded;
  loaded.source = LoadedRelease::Source::config;
  loaded.version = version;
  loaded.has_propeller = true;
  loaded.has_admin = std::ranges::any_of(
      files, [](const ConfigFile& file) { return has_key(file, "task_resources"); });
  load(files, files, loaded);
  return loaded;
}

LoadedRelease load_release(const HelmRelease& release) {
  ReleaseConfig rendered = render_release(release);
  LoadedRelease loaded;
  loaded.source = LoadedRelease::Source::values;
  loaded.chart = release.chart;
  loaded.version = release.version;
  loaded.has_propeller = rendered.has_propeller;
  loaded.has_admin = rendered.has_admin;
  load(rendered.propeller, rendered.admin, loaded);
  loaded.lost_values = std::move(rendered.lost);
  loaded.propeller.deletions = find_deletions(loaded.lost_values);
  loaded.is_partial = release.is_partial;
  if (release.is_partial) open_defaults(loaded.propeller);
  if (rendered.problems.empty()) return loaded;
  loaded.has_propeller = true;
  loaded.propeller.version = release.version;
  loaded.propeller.problems = std::move(rendered.problems);
  return loaded;
}

std::vector<LoadedRelease> find_releases(std::span<const Document* const> documents,
                                         const SourceSet& sources, const Settings& settings) {
  std::vector<LoadedRelease> found = Finder(documents, sources, settings).find();
  const auto templates = find_base_pod_templates(documents);
  for (LoadedRelease& release : found) release.propeller.pod_templates = templates;
  return found;
}

FlyteVersion detect_version(std::span<const Document* const> documents) {
  bool is_v1 = false;
  for (const Document* document : documents) {
    for (NodeIndex at = 0; at < document->nodes.size(); ++at) {
      const Node node(*document, at);
      if (!node.is_scalar()) continue;
      const std::string_view text = node.text();
      const bool is_key = node.parent().is_mapping() && !node.key();
      if (is_tag_of_version2(text) || (is_key && is_one_of(version2_keys, text))) {
        return FlyteVersion::v2;
      }
      is_v1 = is_v1 || is_tag_of_version1(text) || (is_key && is_one_of(version1_keys, text));
    }
  }
  return is_v1 ? FlyteVersion::v1 : FlyteVersion::unknown;
}

}  // namespace gpulint::flyte

#include "compiler/model/gitops/release_layers.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint {
namespace {

using Kind = ReleaseLayer::Kind;
using Reading = ReleaseLayer::Reading;
using Layers = std::vector<ReleaseLayer>;

[[nodiscard]] bool is_flux(Node release) {
  return release.key().text() == "spec" && release.parent().get("kind").text() == "HelmRelease";
}

[[nodiscard]] bool is_k3s(Node release) {
  return release.key().text() == "spec" &&
         release.parent().get("apiVersion").text().starts_with("helm.cattle.io/");
}

[[nodiscard]] bool is_item_at_top(Node release, std::string_view key) {
  const Node list = release.parent();
  return list.is_sequence() && list.key().text() == key && list.parent() && !list.parent().parent();
}

[[nodiscard]] bool is_terraform(Node release) {
  return release.get("type").text() == "helm_release";
}

/// The sources of an Application or ApplicationSet.
[[nodiscard]] bool is_argo_cd(Node release) {
  if (!release.get("helm").is_mapping()) return false;
  for (Node at = release.parent(); at; at = at.parent()) {
    if (!at.get("kind").is_scalar()) continue;
    if (at.get("apiVersion").text().starts_with("argoproj.io/")) return true;
  }
  return false;
}

void add_written(Node values, Layers& layers) {
  if (values) layers.push_back({Kind::written, values, {}, {}, {}});
}

void add_elsewhere(Node what, Layers& layers) {
  const bool is_any = what && (what.is_scalar() ? !what.is_null() : what.size() > 0);
  if (is_any) layers.push_back({Kind::elsewhere, what, {}, {}, {}});
}

[[nodiscard]] ReleaseLayer setting(Node entry, Node path, Node value, Reading reading,
                                   std::string written) {
  ReleaseLayer layer{Kind::setting, entry, {}, std::string(path.text()), {}};
  layer.reading = value.is_opaque() ? Reading::open : reading;
  layer.value = std::move(written);
  layer.path_node = path;
  layer.value_node = value;
  return layer;
}

/// A setting whose value is not read here.
[[nodiscard]] ReleaseLayer open_setting(Node entry) {
  return setting(entry, entry.get("name"), entry, Reading::open, {});
}

/// Adds a backslash before each of `letters` that has none.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view letters) {
  std::string result;
  for (const char c : text) {
    const bool is_escaped = result.ends_with('\\');
    if (letters.find(c) != std::string_view::npos && !is_escaped) result += '\\';
    result += c;
  }
  return result;
}

[[nodiscard]] std::string as_list(Node items, std::string_view escaped_letters) {
  std::string result = "{";
  for (const Node item : items.items()) {
    if (result.size() > 1) result += ',';
    result += escaped(item.text(), escaped_letters);
  }
  return result + "}";
}

[[nodiscard]] bool has_opaque_item(Node items) {
  return std::ranges::any_of(items.items(),
                             [](Node item) { return !item.is_scalar() || item.is_opaque(); });
}

[[nodiscard]] ReleaseLayer file_layer(Node path, std::string_view folder = {}) {
  const std::string_view text = path.text();
  const bool is_reference = text.starts_with('$');
  if (!path.is_scalar() || text.empty() || (path.is_opaque() && !is_reference) ||
      text.find("://") != std::string_view::npos || text.find("{{") != std::string_view::npos) {
    return {Kind::elsewhere, path, {}, {}, {}};
  }
  if (is_reference) {  // `$values/envs/prod.yaml`: from the root of the source `ref: values`
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return {Kind::elsewhere, path, {}, {}, {}};
    return {Kind::file, path, std::string(text.substr(slash + 1)), {}, {}, true};
  }
  if (text.front() == '/') return {Kind::file, path, std::string(text.substr(1)), {}, {}, true};
  if (folder.empty()) return {Kind::file, path, std::string(text), {}, {}};
  return {Kind::file, path, std::string(folder) + "/" + std::string(text), {}, {}, true};
}

// fluxcd.io, HelmRelease: `valuesFrom` in order, then `values`. Without a chart it is a patch.
[[nodiscard]] Layers layers_of_flux(Node release) {
  Layers layers;
  if (!release.get("chart") && !release.get("chartRef")) {
    layers.push_back({Kind::elsewhere, release, {}, {}, {}});
  }
  add_elsewhere(release.get("valueFileSecrets"), layers);
  for (const Node from : release.get("valuesFrom").items()) {
    const Node name = from.get("name");
    const bool is_readable = name.is_scalar() && !name.is_opaque() && !from.get("targetPath");
    if (!is_readable) {
      layers.push_back({Kind::elsewhere, from, {}, {}, {}});
      continue;
    }
    const Node key = from.get("valuesKey");
    layers.push_back({Kind::object, from, std::string(name.text()),
                      key.is_scalar() ? std::string(key.text()) : "values.yaml",
                      std::string(from.get("kind").text())});
  }
  add_written(release.get("values"), layers);
  return layers;
}

// util/helm/cmd.go: Argo CD escapes commas, except in lists in braces. It replaces
// `$ARGOCD_APP_NAME`.
[[nodiscard]] ReleaseLayer argo_cd_parameter(Node parameter) {
  const Node value = parameter.get("value");
  if (!value.is_scalar() || value.text().find('$') != std::string_view::npos) {
    return open_setting(parameter);
  }
  const std::string_view text = value.text();
  const bool is_list = text.starts_with('{') && text.ends_with('}');
  const bool is_text = parameter.get("forceString").text() == "true";
  return setting(parameter, parameter.get("name"), value, is_text ? Reading::text : Reading::typed,
                 is_list ? std::string(text) : escaped(text, ","));
}

// argo-cd.readthedocs.io, Helm: valueFiles < values < valuesObject < parameters.
[[nodiscard]] Layers layers_of_argo_cd(Node release) {
  Layers layers;
  const Node helm = release.get("helm");
  // names without `$` are the chart's own files if the chart comes from git
  const std::string_view folder = release.get("path").text();
  for (const Node path : helm.get("valueFiles").items()) {
    const bool is_in_chart = release.get("chart") && !path.text().starts_with('$');
    layers.push_back(is_in_chart ? ReleaseLayer{Kind::elsewhere, path, {}, {}, {}}
                                 : file_layer(path, folder));
  }
  const Node object = helm.get("valuesObject");
  add_written(object.is_mapping() ? object : helm.get("values"), layers);
  for (const Node parameter : helm.get("parameters").items()) {
    layers.push_back(argo_cd_parameter(parameter));
  }
  for (const Node parameter : helm.get("fileParameters").items()) {
    layers.push_back(open_setting(parameter));
  }
  return layers;
}

// kubectl.docs.kubernetes.io, HelmChartArgs: by default `valuesInline` overrides `valuesFile`.
[[nodiscard]] Layers layers_of_kustomize(Node release) {
  Layers layers;
  const Node file = release.get("valuesFile");
  const Node inline_values = release.get("valuesInline");
  const std::string_view merge = release.get("valuesMerge").text();
  const bool inline_first = merge == "merge";
  if (inline_first) add_written(inline_values, layers);
  if (file && (merge != "replace" || !inline_values)) layers.push_back(file_layer(file));
  if (!inline_first) add_written(inline_values, layers);
  for (const Node path : release.get("additionalValuesFiles").items()) {
    layers.push_back(file_layer(path));
  }
  return layers;
}

// pkg/state/state.go of helmfile: braces and commas are escaped; `values` is a list, `file` a path.
// `ref+vault://…` names a secret.
[[nodiscard]] ReleaseLayer helmfile_setting(Node entry, Reading reading) {
  constexpr std::string_view marks = "{},";
  const Node value = entry.get("value");
  const Node values = entry.get("values");
  if (value.is_scalar() && !value.text().empty() && !value.text().starts_with("ref+")) {
    return setting(entry, entry.get("name"), value, reading, escaped(value.text(), marks));
  }
  if (value || !values.is_sequence() || has_opaque_item(values)) return open_setting(entry);
  return setting(entry, entry.get("name"), values, reading, as_list(values, marks));
}

[[nodiscard]] Layers layers_of_helmfile(Node release) {
  Layers layers;
  for (const Node item : release.get("values").items()) {
    if (item.is_scalar()) {
      layers.push_back(file_layer(item));
    } else {
      add_written(item, layers);
    }
  }
  for (const char* key : {"secrets", "valuesTemplate", "setTemplate", "inherit"}) {
    add_elsewhere(release.get(key), layers);
  }
  for (const Node entry : release.get("set").items()) {
    layers.push_back(helmfile_setting(entry, Reading::typed));
  }
  for (const Node entry : release.get("setString").items()) {
    layers.push_back(helmfile_setting(entry, Reading::text));
  }
  return layers;
}

// registry.terraform.io/providers/hashicorp/helm, helm_release: `type` is auto, string or literal.
[[nodiscard]] ReleaseLayer terraform_setting(Node entry) {
  const Node value = entry.get("value");
  const std::string_view type = entry.get("type").text();
  const bool is_typed = type.empty() || type == "auto" || entry.get("type").is_null();
  if (!value.is_scalar() || value.is_null() || (!is_typed && type != "string")) {
    return open_setting(entry);
  }
  return setting(entry, entry.get("name"), value, is_typed ? Reading::typed : Reading::text,
                 std::string(value.text()));
}

[[nodiscard]] Layers layers_of_terraform(Node release) {
  Layers layers;
  const Node arguments = release.get("values");
  for (const Node values : arguments.get("values").items()) add_written(values, layers);
  for (const Node entry : arguments.get("set").items()) layers.push_back(terraform_setting(entry));
  for (const Node entry : arguments.get("set_list").items()) {
    const Node items = entry.get("value");
    const bool is_open = !items.is_sequence() || has_opaque_item(items);
    layers.push_back(
        is_open ? open_setting(entry)
                : setting(entry, entry.get("name"), items, Reading::typed, as_list(items, {})));
  }
  for (const Node entry : arguments.get("set_sensitive").items()) {
    layers.push_back(open_setting(entry));
  }
  return layers;
}

// pkg/controllers/chart/chart.go of helm-controller: sorted by path; what is no whole number, and
// neither `true`, `false` nor `null`, is a string, in which commas are escaped.
[[nodiscard]] ReleaseLayer k3s_setting(Node path, Node value) {
  const std::string_view text = value.text();
  const auto is_word = [&](std::string_view word) { return equal_fold(text, word); };
  const auto number = read_int(value.parent(), path.text());
  const bool is_typed = number.is_known() || is_word("true") || is_word("false") || is_word("null");
  const Reading reading = !value.is_scalar() ? Reading::open
                          : is_typed         ? Reading::typed
                                             : Reading::text;
  return setting(value, path, value, reading, is_typed ? std::string(text) : escaped(text, ","));
}

[[nodiscard]] Layers layers_of_k3s(Node release) {
  Layers layers;
  add_elsewhere(release.get("valuesSecrets"), layers);
  add_written(release.get("valuesContent"), layers);
  std::vector<Node::Entry> settings = release.get("set").fields();
  std::ranges::sort(settings, {}, [](const Node::Entry& entry) { return entry.key.text(); });
  for (const auto& [path, value] : settings) layers.push_back(k3s_setting(path, value));
  return layers;
}

}  // namespace

std::vector<ReleaseLayer> release_layers(Node release) {
  if (is_flux(release)) return layers_of_flux(release);
  if (is_k3s(release)) return layers_of_k3s(release);
  if (is_item_at_top(release, "helmCharts")) return layers_of_kustomize(release);
  if (is_item_at_top(release, "releases")) return layers_of_helmfile(release);
  if (is_terraform(release)) return layers_of_terraform(release);
  return is_argo_cd(release) ? layers_of_argo_cd(release) : Layers{};
}

std::optional<SettingFormat> setting_format(Node value) {
  if (!value.is_scalar()) return std::nullopt;
  const Node holder = value.parent();
  if (holder.key().text() == "set" && is_k3s(holder.parent())) return SettingFormat::k3s;
  const Node list = holder.parent();
  if (value.key().text() != "value" || !list.is_sequence()) return std::nullopt;
  const std::string_view name = list.key().text();
  const Node owner = list.parent();
  if (name == "parameters" && owner.key().text() == "helm" && is_argo_cd(owner.parent())) {
    return SettingFormat::argo_cd;
  }
  if (!name.starts_with("set")) return std::nullopt;
  if (is_item_at_top(owner, "releases")) return SettingFormat::helmfile;
  return is_terraform(owner.parent()) ? std::optional(SettingFormat::terraform) : std::nullopt;
}

std::vector<Node> find_releases(Node document_root) {
  constexpr std::string_view kinds[] = {"HelmRelease", "HelmChart", "Application",
                                        "ApplicationSet"};
  std::vector<Node> objects{document_root};
  for (const Node item : document_root.get("items").items()) objects.push_back(item);
  std::vector<Node> found;
  for (const Node object : objects) {
    if (std::ranges::find(kinds, object.get("kind").text()) == std::end(kinds)) continue;
    walk(object, [&](Node node) {
      if (!node.is_mapping()) return;
      if (is_flux(node) || is_k3s(node) || is_argo_cd(node)) found.push_back(node);
    });
  }
  for (const char* key : {"planned_values", "values"}) {
    if (!document_root.get("terraform_version")) break;
    walk(document_root.get(key), [&](Node node) {
      if (node.is_mapping() && is_terraform(node)) found.push_back(node);
    });
  }
  for (const char* key : {"helmCharts", "releases"}) {
    for (const Node item : document_root.get(key).items()) {
      if (item.is_mapping()) found.push_back(item);
    }
  }
  return found;
}

Node chart_of_release(Node release) {
  const Node chart = release.get("chart");
  if (is_flux(release)) {
    const Node name = chart.at("spec", "chart");
    return name ? name : chart.get(chart.get("name") ? "name" : "path");
  }
  if (is_item_at_top(release, "helmCharts")) return release.get("name");
  if (is_terraform(release)) return release.at("values", "chart");
  return chart ? chart : release.get("path");
}

}  // namespace gpulint

#include "compiler/ir/release_layers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gpulint {
namespace {

using Kind = ReleaseLayer::Kind;
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

/// Of an Application or ApplicationSet.
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

// argo-cd.readthedocs.io, Helm: valueFiles < values < valuesObject < parameters.
[[nodiscard]] Layers layers_of_argo_cd(Node release) {
  Layers layers;
  const Node helm = release.get("helm");
  // Names without `$` are the chart's own files, where the chart comes from git.
  const std::string_view folder = release.get("path").text();
  for (const Node path : helm.get("valueFiles").items()) {
    const bool is_in_chart = release.get("chart") && !path.text().starts_with('$');
    layers.push_back(is_in_chart ? ReleaseLayer{Kind::elsewhere, path, {}, {}, {}}
                                 : file_layer(path, folder));
  }
  const Node object = helm.get("valuesObject");
  add_written(object.is_mapping() ? object : helm.get("values"), layers);
  for (const Node parameter : helm.get("parameters").items()) {
    layers.push_back({Kind::setting, parameter, {}, std::string(parameter.get("name").text()), {}});
  }
  add_elsewhere(helm.get("fileParameters"), layers);
  return layers;
}

// kubectl.docs.kubernetes.io, HelmChartArgs: `valuesInline` goes over `valuesFile`, unless told.
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

[[nodiscard]] Layers layers_of_helmfile(Node release) {
  Layers layers;
  for (const Node item : release.get("values").items()) {
    if (item.is_scalar()) {
      layers.push_back(file_layer(item));
    } else {
      add_written(item, layers);
    }
  }
  for (const char* key : {"secrets", "valuesTemplate", "set", "setTemplate", "inherit"}) {
    add_elsewhere(release.get(key), layers);
  }
  return layers;
}

[[nodiscard]] Layers layers_of_terraform(Node release) {
  Layers layers;
  const Node arguments = release.get("values");
  for (const Node values : arguments.get("values").items()) add_written(values, layers);
  for (const char* key : {"set", "set_sensitive", "set_list"}) {
    for (const Node setting : arguments.get(key).items()) {
      layers.push_back({Kind::setting, setting, {}, std::string(setting.get("name").text()), {}});
    }
  }
  return layers;
}

[[nodiscard]] Layers layers_of_k3s(Node release) {
  Layers layers;
  add_elsewhere(release.get("valuesSecrets"), layers);
  add_written(release.get("valuesContent"), layers);
  for (const auto& [key, value] : release.get("set").fields()) {
    layers.push_back({Kind::setting, value, {}, std::string(key.text()), {}});
  }
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

std::vector<Node> find_releases(Node document_root) {
  constexpr std::string_view kinds[] = {"HelmRelease", "Application", "ApplicationSet"};
  std::vector<Node> objects{document_root};
  for (const Node item : document_root.get("items").items()) objects.push_back(item);
  std::vector<Node> found;
  for (const Node object : objects) {
    if (std::ranges::find(kinds, object.get("kind").text()) == std::end(kinds)) continue;
    walk(object, [&](Node node) {
      if (node.is_mapping() && (is_flux(node) || is_argo_cd(node))) found.push_back(node);
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

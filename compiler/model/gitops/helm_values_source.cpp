#include "compiler/model/gitops/helm_values_source.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/release_layers.h"

namespace gpulint {
namespace {

/// The object that contains a node; for a List the item.
[[nodiscard]] Node object_around(Node node) {
  for (Node at = node.parent(); at; at = at.parent()) {
    if (at.is_mapping() && at.get("kind").is_scalar() && at.get("apiVersion").is_scalar()) {
      return at;
    }
  }
  return {};
}

[[nodiscard]] bool is_of_group(Node object, std::string_view group) {
  const std::string_view version = object.get("apiVersion").text();
  return version.starts_with(group) && version.substr(group.size()).starts_with('/');
}

[[nodiscard]] HelmValuesSource place_of(Node values, Node release) {
  const std::vector<ReleaseLayer> layers = release_layers(release);
  const bool has_more = std::ranges::any_of(
      layers, [](const ReleaseLayer& layer) { return layer.kind != ReleaseLayer::Kind::written; });
  return {values, chart_of_release(release), release, has_more};
}

// helm.toolkit.fluxcd.io/v2 and, for Flux 1, helm.fluxcd.io/v1.
[[nodiscard]] std::optional<HelmValuesSource> in_flux(Node node) {
  const Node spec = node.parent();
  if (node.key().text() != "values" || spec.key().text() != "spec") return std::nullopt;
  if (spec.parent().get("kind").text() != "HelmRelease") return std::nullopt;
  return place_of(node, spec);
}

// argoproj.io/v1alpha1; `valuesObject` replaces `values`.
[[nodiscard]] std::optional<HelmValuesSource> in_argo_cd(Node node) {
  const std::string_view key = node.key().text();
  if (key != "values" && key != "valuesObject") return std::nullopt;
  const Node helm = used_under(node.parent(), {"helm"});
  if (!helm) return std::nullopt;
  const Node object = object_around(helm);
  const std::string_view kind = object.get("kind").text();
  if (!is_of_group(object, "argoproj.io") || !kind.starts_with("Application")) return std::nullopt;
  if (key == "values" && helm.get("valuesObject").is_mapping()) return std::nullopt;
  return place_of(node, helm.parent());
}

// helm.cattle.io/v1, also HelmChartConfig, which names one of the distribution's charts.
[[nodiscard]] std::optional<HelmValuesSource> in_k3s(Node node) {
  if (node.key().text() != "valuesContent") return std::nullopt;
  const Node spec = used_under(node.parent(), {"spec"});
  if (!spec || !is_of_group(spec.parent(), "helm.cattle.io")) return std::nullopt;
  return place_of(node, spec);
}

[[nodiscard]] std::optional<HelmValuesSource> in_config_map(Node node) {
  if (!node.is_scalar()) return std::nullopt;
  const auto entry = data_entry(node);
  if (!entry || entry->key.find("values") == std::string_view::npos) return std::nullopt;
  const std::string_view kind = entry->object.get("kind").text();
  const bool is_text = kind == "Secret" || (kind == "ConfigMap" && entry->part == "data");
  return is_text ? std::optional(HelmValuesSource{node, {}, node.parent(), true}) : std::nullopt;
}

[[nodiscard]] bool is_at_top(Node list, std::string_view key) {
  return list.is_sequence() && list.key().text() == key && list.parent() && !list.parent().parent();
}

[[nodiscard]] std::optional<HelmValuesSource> in_helmfile(Node node) {
  const Node values = node.parent();
  const Node release = values.parent();
  if (!values.is_sequence() || values.key().text() != "values") return std::nullopt;
  if (!is_at_top(release.parent(), "releases") || node.is_scalar()) return std::nullopt;
  return place_of(node, release);
}

[[nodiscard]] std::optional<HelmValuesSource> in_kustomization(Node node) {
  const Node chart = node.parent();
  if (node.key().text() != "valuesInline" || !is_at_top(chart.parent(), "helmCharts")) {
    return std::nullopt;
  }
  return place_of(node, chart);
}

/// The key at the top of the document above a node.
[[nodiscard]] std::string_view top_key(Node node) {
  while (node.parent() && node.parent().parent()) node = node.parent();
  return node.key().text();
}

// https://developer.hashicorp.com/terraform/internals/json-format: planned or existing resources.
[[nodiscard]] std::optional<HelmValuesSource> in_terraform(Node node) {
  const Node list = node.parent();
  const Node arguments = list.parent();
  const Node resource = arguments.parent();
  if (!node.is_scalar() || !list.is_sequence() || list.key().text() != "values") {
    return std::nullopt;
  }
  if (arguments.key().text() != "values" || resource.get("type").text() != "helm_release") {
    return std::nullopt;
  }
  const std::string_view part = top_key(resource);
  if (part != "planned_values" && part != "values") return std::nullopt;
  return place_of(node, resource);
}

constexpr std::array formats{in_flux,     in_argo_cd,       in_k3s,      in_config_map,
                             in_helmfile, in_kustomization, in_terraform};

[[nodiscard]] bool holds_values(Node object) {
  constexpr std::array<std::string_view, 3> kinds{"HelmRelease", "Application", "ApplicationSet"};
  return std::ranges::find(kinds, object.get("kind").text()) != kinds.end();
}

[[nodiscard]] bool may_hold_values(Node document_root) {
  return holds_values(document_root) || document_root.get("releases").is_sequence() ||
         document_root.get("helmCharts").is_sequence() ||
         std::ranges::any_of(document_root.get("items").items(), holds_values);
}

}  // namespace

std::optional<HelmValuesSource> helm_values_source(Node node) {
  for (const auto& format : formats) {
    if (auto place = format(node)) return place;
  }
  return std::nullopt;
}

std::vector<HelmValuesSource> find_helm_values_sources(Node document_root) {
  std::vector<HelmValuesSource> found;
  if (!may_hold_values(document_root)) return found;
  walk(document_root, [&](Node node) {
    const std::string_view key =
        node.parent().is_sequence() ? node.parent().key().text() : node.key().text();
    if (!key.starts_with("values")) return;
    if (!node.resolved().is_mapping()) return;
    if (const auto place = helm_values_source(node)) found.push_back(*place);
  });
  return found;
}

bool are_values(const Document& document) {
  return document.host != nullptr &&
         helm_values_source(Node(*document.host, document.host_node)).has_value();
}

Field<std::string> chart_namespace(Node values) {
  const Document& document = *values.document();
  Node object = document.host == nullptr ? values : Node(*document.host, document.host_node);
  while (object && !(object.get("kind") && object.get("metadata"))) object = object.parent();
  const Node spec = object.get("spec");
  const std::string_view kind = object.get("kind").text();
  if (kind == "Application") return read_string(spec.get("destination"), "namespace");
  if (kind != "HelmRelease" && kind != "HelmChart") return {};
  const Field<std::string> target = read_string(spec, "targetNamespace");
  const bool is_own = target.is_absent() && kind == "HelmRelease";
  return is_own ? read_string(object.get("metadata"), "namespace") : target;
}

std::string_view named_chart(const HelmValuesSource& place) {
  if (place.chart.is_opaque()) return {};
  std::string_view name = place.chart.text();
  while (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);
  return name.substr(0, name.find_first_of(":@"));
}

}  // namespace gpulint

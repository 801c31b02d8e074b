#pragma once

// model/gitops: where HelmReleases, Applications, helmfiles, ConfigMaps and kustomizations keep
// values and files. It reads trees alone. The parser uses it, so that it does not know the rest of
// the model.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Helm values inside a file that has other matter, too, where its format puts them:
/// Flux's HelmRelease (`spec.values`), Argo CD's Application and ApplicationSet
/// (`source.helm.valuesObject` and `.values`, also of `sources`), the HelmChart of K3s and RKE2
/// (`spec.valuesContent`), helmfile (`releases[].values[]`), kustomize
/// (`helmCharts[].valuesInline`), a ConfigMap's or Secret's file whose name speaks of values, and
/// `helm_release` in the output of `terraform show -json`.
struct HelmValuesSource {
  Node values;   ///< As written: a mapping, an alias of one, or the scalar with their text.
  Node chart;    ///< What names the chart: a name, path or address. Nothing where nobody does.
  Node release;  ///< What installs the chart. Several values of one release are layers, in order.
  bool has_more = false;  ///< It names files or objects with further values.
};

/// What `node` is as the values of something, if that is what it is.
[[nodiscard]] std::optional<HelmValuesSource> helm_values_source(Node node);

/// Those that a document holds as nodes of its own, not as text, in document order.
[[nodiscard]] std::vector<HelmValuesSource> find_helm_values_sources(Node document_root);

/// Whether a document is the text of values in another.
[[nodiscard]] bool are_values(const Document& document);

/// The namespace that the object around some values puts their chart into: of an Application its
/// destination's, of a HelmRelease or HelmChart `targetNamespace`, else the release's own. Absent
/// where that is not said, and of plain values.
[[nodiscard]] Field<std::string> chart_namespace(Node values);

/// The chart's name without what leads to it and without its version: `flyte-binary` of
/// `oci://ghcr.io/x/flyte-binary:1.2`. Empty where it is not said or open.
[[nodiscard]] std::string_view named_chart(const HelmValuesSource& place);

}  // namespace gpulint

#pragma once

// model/gitops: where HelmReleases, Applications, helmfiles, ConfigMaps and kustomizations have
// values and files. It reads only trees. The parser uses it, so it does not know the rest of the
// model.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Helm values inside a file with other content, by the file's format: Flux's HelmRelease
/// (`spec.values`), Argo CD's Application and ApplicationSet (`source.helm.valuesObject` and
/// `.values`, also of `sources`), the HelmChart of K3s and RKE2 (`spec.valuesContent`), helmfile
/// (`releases[].values[]`), kustomize (`helmCharts[].valuesInline`), a file of a ConfigMap or
/// Secret whose name mentions values, and `helm_release` in the output of `terraform show -json`.
struct HelmValuesSource {
  Node values;   ///< As written: a mapping, an alias of one, or the scalar with their text.
  Node chart;    ///< The chart's name, path or address; null if it is not named.
  Node release;  ///< The object that installs the chart. Values of one release are layers, in
                 ///< order.
  bool has_more = false;  ///< It names files or objects with more values.
};

/// The values that `node` is; nullopt if it is not values.
[[nodiscard]] std::optional<HelmValuesSource> helm_values_source(Node node);

/// The values that a document contains as nodes, not as text, in document order.
[[nodiscard]] std::vector<HelmValuesSource> find_helm_values_sources(Node document_root);

/// Whether a document is a text of values in another document.
[[nodiscard]] bool are_values(const Document& document);

/// The namespace in which the object around some values installs their chart: for an Application
/// its destination's, for a HelmRelease or HelmChart `targetNamespace`, else the release's own.
/// Absent if it is not stated, and for plain values.
[[nodiscard]] Field<std::string> chart_namespace(Node values);

/// The chart's name without path and version: `flyte-binary` for
/// `oci://ghcr.io/x/flyte-binary:1.2`. Empty if it is not named or opaque.
[[nodiscard]] std::string_view named_chart(const HelmValuesSource& place);

}  // namespace gpulint

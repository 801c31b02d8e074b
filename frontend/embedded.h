#pragma once

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"

namespace gpulint {

/// The documents written inside a document's strings: the entries of ConfigMaps' `data` and of
/// Secrets' `stringData`, and elsewhere texts of several lines that begin like Flyte, device-plugin
/// or MIG-manager configuration; in annotations such configuration in any style, and the JSON of
/// `scheduler.alpha.kubernetes.io/affinity`, `/tolerations` and `/taints`. In Helm values of Flyte
/// the cluster resource templates, in Secrets' `data` the values of charts, out of base64, in
/// kustomizations the patches that are written inline, in a RayService its `serveConfigV2`, in a
/// NodeFeatureDiscovery its `workerConfig.configData` (in ConfigMaps `nfd-worker.conf`), in Argo
/// Workflows `podSpecPatch`, and anywhere the text of an object (`apiVersion` or `kind` first).
/// Strings that are not a YAML mapping are skipped without a finding: most are scripts and
/// certificates. In a ConfigMap that is the device plugin's or MIG manager's by name, and in a
/// `.yaml` next to Flyte's configuration, everything is read.
[[nodiscard]] std::vector<std::unique_ptr<Document>> embedded_documents(const Document& host,
                                                                        const SourceFile& file);

}  // namespace gpulint

#pragma once

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"

namespace gpulint {

/// The documents inside a document's strings:
/// - entries of ConfigMaps' `data` and of Secrets' `stringData`;
/// - texts of several lines that begin like configuration of Flyte, the device plugin or the MIG
///   manager; in annotations such configuration in any style;
/// - the JSON of the annotations `scheduler.alpha.kubernetes.io/affinity`, `/tolerations` and
///   `/taints`;
/// - cluster resource templates in Flyte's Helm values;
/// - values of charts in Secrets' `data`, decoded from base64;
/// - inline patches of kustomizations, `serveConfigV2` of a RayService, `workerConfig.configData`
///   of a NodeFeatureDiscovery (in ConfigMaps `nfd-worker.conf`), `podSpecPatch` of Argo Workflows;
/// - anywhere the text of an object (`apiVersion` or `kind` first).
/// Strings that are not a YAML mapping are skipped without a finding: most are scripts and
/// certificates. Everything is read in a ConfigMap whose name shows that the device plugin or MIG
/// manager reads it, and in a `.yaml` next to Flyte's configuration.
[[nodiscard]] std::vector<std::unique_ptr<Document>> embedded_documents(const Document& host,
                                                                        const SourceFile& file);

}  // namespace gpulint

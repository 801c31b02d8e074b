#pragma once

#include <string>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The mappings with a chart's values that a document holds: all of it where it is no Kubernetes
/// object and no JSON Schema, else those of values_place.h. Flyte's charts are read elsewhere, and
/// so is what has a role of its own (document_role.h).
[[nodiscard]] std::vector<Node> find_chart_values(const Document& document);

/// What such values say of pods, each as a workload of the origin `values`, named by its place
/// (`singleuser.profileList[0]`):
/// - `tolerations`, `nodeSelector`, `affinity`, `resources`, `runtimeClassName`, `extraResources`
///   side by side, which charts as a rule put into one pod as they stand;
/// - `singleuser` of zero-to-jupyterhub, and each `kubespawner_override` of it (4.x,
///   jupyterhub/files/hub/jupyterhub_config.py; KubeSpawner's traits of these names).
/// What is not said is open: a chart has defaults, and layers may add to it. Only where GPUs are
/// requested and no layer names tolerations, there are none: find_chart_pods() of all documents
/// knows that.
[[nodiscard]] std::vector<Workload> find_chart_pods(const std::vector<const Document*>& documents);

}  // namespace gpulint

#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::unmatched_node_selector {

/// Reports node selectors that OpenShift adds to the pods of a namespace and that no GPU node
/// meets: the namespace's annotation `openshift.io/node-selector`, else `defaultNodeSelector` of
/// the Scheduler `cluster`; neither where the namespace has PodNodeSelector's annotation
/// (OpenShift Container Platform 4.16, «Placing pods on specific nodes using node selectors»: its
/// admission plugin OriginPodNodeEnvironment). Judged are namespaces among the inputs and GPU nodes
/// that are given as Nodes; of labels in the domains `kubernetes.io` nothing is said, since given
/// Nodes are often abridged.
void check_project_selectors(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::unmatched_node_selector

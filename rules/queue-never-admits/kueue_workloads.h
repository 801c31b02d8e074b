#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/kinds/kueue.h"

namespace gpulint::rules::queue_never_admits {

/// ClusterQueues that LocalQueues lead to and whose `namespaceSelector` does not select the
/// namespace of these. Without one no namespace is selected (kubernetes-sigs/kueue,
/// apis/kueue/v1beta1/clusterqueue_types.go: «defaults to null which is a nothing selector»).
void check_kueue_namespaces(const Corpus& corpus, const KueueObjects& kueue, Reporter& reporter);

/// GPU workloads that ask for what the ClusterQueue behind their LocalQueue never gives: amounts,
/// labels and taints of its flavors.
void check_kueue_workloads(const Corpus& corpus, const KueueObjects& kueue, Reporter& reporter);

}  // namespace gpulint::rules::queue_never_admits

#include "rules/missing-runtime-class/absent_class.h"

#include <algorithm>
#include <string>

#include "rules/missing-runtime-class/platform.h"

namespace gpulint::rules::missing_runtime_class {

void check_absent_class(const Corpus& corpus, Reporter& reporter) {
  const auto old = find_k3s_without_classes(corpus.cluster);
  const bool has_class = std::ranges::any_of(corpus.objects, [](const KubernetesObject& object) {
    // NVIDIA's operator makes it.
    return object.kind.equals("RuntimeClass") || object.kind.equals("ClusterPolicy");
  });
  if (!old || has_class || !corpus.settings->runtime_class.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    const Field<std::string>& name = workload.pod.runtime_class_name;
    if (!name.equals("nvidia") || workload.origin != Workload::Origin::manifest) continue;
    reporter
        .report(name.node(), "no RuntimeClass `nvidia` is among the inputs, and {} makes none",
                old->name)
        .related(old->evidence, "a node of this release")
        .help(
            "the API server refuses pods of a class that is not there: apply a RuntimeClass of "
            "this name with `handler: nvidia`");
  }
}

}  // namespace gpulint::rules::missing_runtime_class

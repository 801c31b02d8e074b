#include "compiler/schedule/causes.h"

#include "compiler/ir/document.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/kinds/runtime_classes.h"

namespace gpulint {

bool is_placed_as_written(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return true;
  if (workload.origin != Workload::Origin::manifest) return false;
  const Document* const document = workload.object.document();
  if (document == nullptr || document->host != nullptr) return false;
  if (workload.kind.equals("PodTemplate")) return false;
  if (!workload.pod.node_name.is_absent() || workload.pod.node.get("schedulingGates")) return false;
  return queue_name(workload).is_absent();
}

bool is_placement_known(const Workload& workload) {
  return is_placed_as_written(workload) && is_runtime_class_known(workload.pod);
}

}  // namespace gpulint

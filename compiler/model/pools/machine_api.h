#pragma once

#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// The nodes of a MachineSet of OpenShift's Machine API (openshift/api, machine/v1beta1): labels
/// and taints of the machine's spec, which its node-link controller copies to nodes, and the
/// machine type of AWS, Azure or Google Cloud. Labels of the machine itself stay there.
[[nodiscard]] NodePool read_machine_set(const KubernetesObject& object);

}  // namespace gpulint

#include "compiler/model/served_models.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

void add_requested_gpus(Node model, ResourceRequirements& resources) {
  const Field<std::string> type = read_string(model, "requestGPUType");
  const Node amount = model.get("requestGPU");
  const Field<Quantity> gpus = read_quantity(amount);
  // The template's `int` leaves nothing of a half, and then there is no request.
  const bool is_none = gpus.is_known() && gpus.value().milli_value() < 1000;
  if (!amount || type.is_opaque() || is_none) return;
  resources.node = model;
  const Node name = type.is_known() ? type.node() : amount.key();
  resources.limits.push_back({{type.value_or("nvidia.com/gpu"), name}, gpus});
}

}  // namespace

bool is_served_model(Node mapping) {
  const Node list = mapping.parent();
  return mapping.is_mapping() && list.is_sequence() && list.key().text() == "modelSpec" &&
         list.parent().key().text() == "servingEngineSpec";
}

PodSpec read_served_model(Node model) {
  PodSpec pod = read_pod_spec(model);
  pod.pod_resources = {};
  pod.containers.clear();
  Container container;
  container.node = model;
  add_requested_gpus(model, container.resources);
  pod.containers.push_back(std::move(container));
  const Node all = model.parent().parent();
  const PodSpec shared = read_pod_spec(all);
  if (read_string(model, "tolerationsPolicy").value_or("append") == "append") {
    if (!pod.tolerations_node) pod.tolerations_node = shared.tolerations_node;
    for (const Toleration& each : shared.tolerations) pod.tolerations.push_back(each);
  }
  // Layers may have them, too.
  pod.tolerations_opaque = pod.tolerations_opaque || !pod.tolerations_node;
  if (!model.get("runtimeClassName")) pod.runtime_class_name = shared.runtime_class_name;
  if (pod.runtime_class_name.equals("")) pod.runtime_class_name = {};  // left out
  return pod;
}

}  // namespace gpulint

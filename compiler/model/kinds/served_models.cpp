#include "compiler/model/kinds/served_models.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/gitops/values_place.h"
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

/// Whether what installs the chart names these values and no others.
[[nodiscard]] bool are_all_values(Node values) {
  const Document& document = *values.document();
  const auto place =
      values_place(document.host == nullptr ? values : Node(*document.host, document.host_node));
  return place && place->chart && !place->has_more;
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
  const bool is_all = are_all_values(all.parent());
  pod.tolerations_opaque = pod.tolerations_opaque || (!pod.tolerations_node && !is_all);
  if (!model.get("runtimeClassName")) pod.runtime_class_name = shared.runtime_class_name;
  if (pod.runtime_class_name.equals("")) pod.runtime_class_name = {};  // left out
  return pod;
}

bool is_ollama(Node values) {
  const Node gpu = values.at("ollama", "gpu");
  // A word counts as yes in a template, too.
  const Node enabled = gpu.get("enabled");
  return values.is_mapping() && gpu.is_mapping() && enabled.is_scalar() && !enabled.is_null() &&
         !enabled.is_opaque() && !enabled.text().empty() && enabled.text() != "false";
}

PodSpec read_ollama(Node values) {
  PodSpec pod = read_pod_spec(values);
  pod.containers.clear();
  const Node gpu = values.at("ollama", "gpu");
  const Field<std::string> type = read_string(gpu, "type");
  const Field<std::string> resource = read_string(gpu, "nvidiaResource");
  const bool is_amd = type.equals("amd");
  const bool is_open = gpu.at("mig", "enabled").text() == "true" ||
                       gpu.get("draEnabled").text() == "true" || type.is_opaque() ||
                       resource.is_opaque();
  pod.tolerations_opaque = pod.tolerations_opaque || is_open;
  if (is_open) return pod;
  Container container;
  container.node = values;
  container.resources = read_resources(values.get("resources"));
  const std::string name = is_amd ? "amd.com/gpu" : resource.value_or("nvidia.com/gpu");
  const Node number = gpu.get("number");
  const Node place = type.is_known() ? type.node() : gpu.key();
  container.resources.limits.push_back(
      {{name, resource.is_known() && !is_amd ? resource.node() : place},
       number ? read_quantity(number) : Field<Quantity>::known(Quantity::of(1), place)});
  pod.containers.push_back(std::move(container));
  if (is_amd) return pod;
  Toleration own;
  own.key = Field<std::string>::known(name);
  own.op = Field<std::string>::known("Exists");
  own.effect = Field<std::string>::known("NoSchedule");
  pod.tolerations.push_back(std::move(own));
  return pod;
}

}  // namespace gpulint

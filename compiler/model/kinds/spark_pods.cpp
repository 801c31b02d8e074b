#include "compiler/model/kinds/spark_pods.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/open_pod.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// The device that the operator's webhook adds to the limits; it leaves out amounts below one.
void add_gpu(Node component, Container& container) {
  const Node gpu = component.get("gpu");
  const Field<std::string> name = read_string(gpu, "name");
  if (!name.is_known()) return;
  container.resources.node = gpu;
  container.resources.limits.push_back(
      {{name.value(), name.node()}, read_quantity(gpu.get("quantity"))});
}

/// Spark asks for `<vendor>/gpu` itself where it is told of both.
void add_configured_gpu(Node conf, std::string_view role, Container& container) {
  const std::string prefix = fmt::format("spark.{}.resource.gpu.", role);
  const Field<std::string> vendor = read_string(conf, prefix + "vendor");
  const Node amount = conf.get(prefix + "amount");
  if (!vendor.is_known() || !amount || !container.resources.limits.empty()) return;
  container.resources.node = conf;
  container.resources.limits.push_back(
      {{vendor.value() + "/gpu", vendor.node()}, read_quantity(amount)});
}

/// Labels that Spark demands of nodes for all its pods, or for those of this role.
void add_configured_selector(Node conf, std::string_view role, PodSpec& pod) {
  const std::string of_role = fmt::format("spark.kubernetes.{}.node.selector.", role);
  for (const std::string& prefix : {of_role, std::string("spark.kubernetes.node.selector.")}) {
    for (const Node::Entry& entry : conf.fields()) {
      const std::string_view key = entry.key.text();
      if (!key.starts_with(prefix)) continue;
      if (!pod.node_selector_node) pod.node_selector_node = conf;
      pod.node_selector.push_back({{std::string(key.substr(prefix.size())), entry.key},
                                   read_string(conf, std::string(key))});
    }
  }
}

[[nodiscard]] bool has_template_file(Node conf, std::string_view role) {
  return static_cast<bool>(conf.get(fmt::format("spark.kubernetes.{}.podTemplateFile", role)));
}

}  // namespace

std::vector<OperatorPod> read_spark_pods(const KubernetesObject& object) {
  std::vector<OperatorPod> pods;
  const bool is_scheduled = object.kind.equals("ScheduledSparkApplication");
  const Node spec = is_scheduled ? object.node.at("spec", "template") : object.node.get("spec");
  const Node conf = spec.get("sparkConf");
  PodSpec shared;
  shared.node_selector_node = spec.get("nodeSelector");
  shared.node_selector = read_string_map(shared.node_selector_node);
  for (const std::string_view role : {"driver", "executor"}) {
    const Node component = spec.get(role);
    if (!component.is_mapping() || component.get("template")) continue;
    OperatorPod found{std::string(role), read_pod_spec(component)};
    Container container = read_container(component, ContainerKind::main);
    add_gpu(component, container);
    add_configured_gpu(conf, role, container);
    found.pod.containers.push_back(std::move(container));
    add_configured_selector(conf, role, found.pod);
    add_scheduling(found.pod, shared);
    if (has_template_file(conf, role)) leave_unsaid_open(found.pod);
    pods.push_back(std::move(found));
  }
  return pods;
}

}  // namespace gpulint

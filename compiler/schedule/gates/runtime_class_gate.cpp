#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/named_nodes.h"

namespace gpulint {
namespace {

/// setScheduling(): `conflict: runtimeClass.scheduling.nodeSelector[…]`.
void check_selector(const Workload& workload, Node object, Obstacles& found) {
  for (const LabelEntry& added : read_string_map(object.at("scheduling", "nodeSelector"))) {
    for (const LabelEntry& own : workload.pod.node_selector) {
      const bool is_same = own.key.value != added.key.value || !own.value.is_known() ||
                           !added.value.is_known() || own.value.value() == added.value.value();
      if (is_same) continue;
      found
          .add(own.value.node() ? own.value.node() : own.key.node,
               "{} selects `{}={}`, but its RuntimeClass `{}` selects `{}={}`", describe(workload),
               own.key.value, own.value.value(), object_name(object), added.key.value,
               added.value.value())
          .related(added.value.node(), "the node selector of the RuntimeClass")
          .help(
              "select `{}={}`, or change the node selector of the RuntimeClass. Otherwise the API "
              "server rejects the pod",
              added.key.value, added.value.value());
      return;
    }
  }
}

/// Amounts that are unknown may be equal.
[[nodiscard]] bool may_be_equal(const std::vector<ResourceEntry>& one,
                                const std::vector<ResourceEntry>& other) {
  return one.size() == other.size() && std::ranges::all_of(one, [&](const ResourceEntry& a) {
           return std::ranges::any_of(other, [&](const ResourceEntry& b) {
             const bool is_known = a.amount.is_known() && b.amount.is_known();
             return a.name.value == b.name.value &&
                    (!is_known || a.amount.value() == b.amount.value());
           });
         });
}

/// validateOverhead(). `object` is null if the pod names no class.
void check_overhead(const Workload& workload, Node object, Obstacles& found) {
  const Node own = workload.pod.node.get("overhead");
  const Node defined = object.at("overhead", "podFixed");
  const bool is_open = defined.is_opaque() || object.get("overhead").is_opaque();
  if (own.size() == 0 || is_open) return;
  if (may_be_equal(workload.pod.overhead, read_resource_list(defined))) return;
  const std::string of_class =
      defined  ? fmt::format("RuntimeClass `{}` sets a different overhead", object_name(object))
      : object ? fmt::format("RuntimeClass `{}` sets no overhead", object_name(object))
               : "names no RuntimeClass";
  found.add_at_key(own, "{} sets an overhead, but {}", describe(workload), of_class)
      .related(defined ? defined : object,
               defined ? "the overhead of the RuntimeClass" : "this RuntimeClass sets no overhead")
      .help("remove `overhead`{}. Otherwise the API server rejects the pod",
            object ? ", because the API server sets the value from the RuntimeClass" : "");
}

/// A Pod exported from a cluster, or an object that creates no pods.
[[nodiscard]] bool is_not_created(const Workload& workload) {
  return workload.kind.equals("PodTemplate") ||
         (workload.kind.equals("Pod") && workload.object.get("status").size() > 0);
}

void check_unknown_class(const Workload& workload, Obstacles& found) {
  const Field<std::string>& name = workload.pod.runtime_class_name;
  if (is_runtime_class_known(workload.pod)) return;
  const std::string which = name.is_known() ? fmt::format(" `{}`", name.value()) : "";
  found.add(name.node(), "the RuntimeClass{} of {} is unknown", which, describe(workload))
      .assume()
      .help("add the RuntimeClass to the inputs");
}

void check_unknown_node(const Workload& workload, Obstacles& found) {
  const Field<std::string>& name = workload.pod.node_name;
  const std::string which = name.is_known() ? fmt::format("node `{}`", name.value()) : "a node";
  found
      .add(name.node(), "{} is bound by name to {}, which is not among the inputs",
           describe(workload), which)
      .assume()
      .help("add the node to the inputs, because `nodeName` bypasses the scheduler");
}

/// The namespaces that have a LocalQueue.
[[nodiscard]] std::set<std::string> namespaces_with_queues(const KueueObjects& kueue) {
  std::set<std::string> names;
  for (const LocalQueue& queue : kueue.local_queues) {
    if (queue.name_space.is_known()) names.insert(queue.name_space.value());
  }
  return names;
}

/// Whether the workload names a queue that is not among the inputs, although others are.
[[nodiscard]] bool lacks_queue(const KueueObjects& kueue, const std::set<std::string>& namespaces,
                               const Workload& workload) {
  const Field<std::string> name = queue_name(workload);
  if (!name.is_known() || kueue.has_open_names) return false;
  const Field<std::string> home = read_string(workload.object.get("metadata"), "namespace");
  return !kueue.local_queues_by_name.contains(name.value()) && home.is_known() &&
         namespaces.contains(home.value());
}

void check_unknown_queue(const Workload& workload, Obstacles& found) {
  const Field<std::string> name = queue_name(workload);
  found
      .add(name.node(), "LocalQueue `{}` of {} is not among the inputs", name.value(),
           describe(workload))
      .assume()
      .help("add the LocalQueue to the inputs, or correct the name");
}

}  // namespace

FindObstacles make_runtime_class_gate(const ScopeModel& model) {
  return [&classes = model.runtime_classes](const Workload& workload) {
    Obstacles found(Gate::admission);
    const Field<std::string>& name = workload.pod.runtime_class_name;
    if (is_not_created(workload)) return std::move(found).take();
    const auto known = name.is_known() ? classes.find(name.value()) : classes.end();
    if (known != classes.end() && known->second) {
      check_selector(workload, *known->second, found);
      check_overhead(workload, *known->second, found);
    } else if (name.is_absent()) {
      check_overhead(workload, {}, found);
    }
    return std::move(found).take();
  };
}

FindObstacles make_missing_object_gate(const ScopeModel& model) {
  if (model.cluster.pools.empty()) return no_obstacles;
  KueueObjects kueue = read_kueue(model.objects);
  std::set<std::string> namespaces = namespaces_with_queues(kueue);
  return [nodes = NamedNodes(model.cluster), kueue = std::move(kueue),
          namespaces = std::move(namespaces)](const Workload& workload) {
    if (lacks_queue(kueue, namespaces, workload)) {
      Obstacles found(Gate::queue);
      check_unknown_queue(workload, found);
      return std::move(found).take();
    }
    const bool is_elsewhere = nodes.is_elsewhere(workload.pod);
    Obstacles found(is_elsewhere ? Gate::node : Gate::admission);
    is_elsewhere ? check_unknown_node(workload, found) : check_unknown_class(workload, found);
    return std::move(found).take();
  };
}

}  // namespace gpulint

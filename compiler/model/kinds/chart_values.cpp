#include "compiler/model/kinds/chart_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/device_plugin/device_plugin_config.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/kinds/flyte_document.h"
#include "compiler/model/kinds/pod_template_paths.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/terraform.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/unknown_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_object(Node node) { return node.get("apiVersion") && node.get("kind"); }

/// `singleuser.profileList[0]`; empty for the root.
[[nodiscard]] std::string path_of(Node node, Node root) {
  std::vector<std::string> parts;
  for (Node at = node; at && at != root; at = at.parent()) {
    const Node parent = at.parent();
    if (!parent.is_sequence()) {
      parts.push_back(fmt::format(".{}", at.key().text()));
      continue;
    }
    const std::vector<Node> items = parent.items();
    const auto index = std::ranges::find(items, at) - items.begin();
    parts.push_back(fmt::format("[{}]", index));
  }
  std::string path;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) path += *part;
  return path.starts_with('.') ? path.substr(1) : path;
}

/// A list of tolerations: every item is a mapping with only a toleration's fields.
[[nodiscard]] bool are_tolerations(Node list) {
  constexpr std::array<std::string_view, 5> fields{"key", "operator", "value", "effect",
                                                   "tolerationSeconds"};
  const std::vector<Node> items = list.items();
  return !items.empty() && std::ranges::all_of(items, [&](Node item) {
    const std::vector<Node::Entry> entries = item.fields();
    return !entries.empty() && std::ranges::any_of(entries, [&](const Node::Entry& entry) {
      return is_listed(fields, entry.key.text());
    });
  });
}

/// Amounts without `limits` or `requests` may be those of a machine (Koordinator's Device,
/// simulators of clusters).
[[nodiscard]] bool is_resources(Node node) {
  return node.get("limits").is_mapping() || node.get("requests").is_mapping();
}

/// Labels without mappings among them, which a platform's own format may have
/// (`nodeSelector.labels`).
[[nodiscard]] bool is_node_selector(Node node) {
  const std::vector<Node::Entry> entries = node.fields();
  return !entries.empty() && std::ranges::all_of(entries, [](const Node::Entry& entry) {
    return entry.value.is_scalar();
  });
}

[[nodiscard]] bool requests_device(const ResourceRequirements& resources) {
  return std::ranges::any_of(resources.limits, [](const ResourceEntry& entry) {
    const bool is_zero = entry.amount.is_known() && entry.amount.value().is_zero();
    return !is_zero && is_gpu_resource(entry.name.value);
  });
}

/// A name without a domain is the chart's own word: `gpu: 1`.
void leave_own_names(std::vector<ResourceEntry>& entries) {
  std::erase_if(entries, [](const ResourceEntry& entry) {
    const std::string& name = entry.name.value;
    constexpr std::array<std::string_view, 4> own{"cpu", "memory", "ephemeral-storage", "pods"};
    return name.find('/') == std::string::npos && !is_listed(own, name) &&
           !name.starts_with("hugepages-");
  });
}

[[nodiscard]] Container container_with(Node resources, Node owner) {
  Container container;
  container.node = owner;
  container.resources = read_resources(resources);
  leave_own_names(container.resources.limits);
  leave_own_names(container.resources.requests);
  return container;
}

/// Amounts with the chart's own names: `extra_resource_limits`.
[[nodiscard]] Container container_with(Node limits, Node requests, Node owner) {
  Container container;
  container.node = owner;
  ResourceRequirements& resources = container.resources;
  resources.node = limits ? limits.parent() : requests.parent();
  resources.limits_node = limits;
  resources.requests_node = requests;
  resources.limits = read_resource_list(limits);
  resources.requests = read_resource_list(requests);
  return container;
}

/// Terms of a required affinity without the fields around them.
void add_required_terms(PodSpec& pod, Node terms) {
  if (!terms.is_sequence() || terms.items().empty()) return;
  pod.node_affinity.has_required = true;
  for (const Node term : terms.items()) {
    pod.node_affinity.required.push_back(
        {.node = term,
         .expressions = read_selector_requirements(term.get("matchExpressions")),
         .fields = read_selector_requirements(term.get("matchFields"))});
  }
}

void add_requested_gpus(Node model, ResourceRequirements& resources) {
  const Field<std::string> type = read_string(model, "requestGPUType");
  const Node amount = model.get("requestGPU");
  const Field<Quantity> gpus = read_quantity(amount);
  // the template's `int` rounds a half down to zero, and then there is no request
  const bool is_none = gpus.is_known() && gpus.value().milli_value() < 1000;
  if (!amount || type.is_opaque() || is_none) return;
  resources.node = model;
  const Node name = type.is_known() ? type.node() : amount.key();
  resources.limits.push_back({{type.value_or("nvidia.com/gpu"), name}, gpus});
}

/// Whether the object that installs the chart names only these values.
[[nodiscard]] bool are_all_values(Node values) {
  const Document& document = *values.document();
  const auto place = helm_values_source(
      document.host == nullptr ? values : Node(*document.host, document.host_node));
  return place && place->chart && !place->has_more;
}

/// The pod of a served model: `requestGPU` of `requestGPUType`, which is request and limit, the
/// entry's tolerations and those of all models, `runtimeClassName`. The caller adds
/// `nodeSelectorTerms`.
[[nodiscard]] PodSpec read_served_model(Node model) {
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
  // layers may also have them
  const bool is_all = are_all_values(all.parent());
  pod.tolerations_opaque = pod.tolerations_opaque || (!pod.tolerations_node && !is_all);
  if (!model.get("runtimeClassName")) pod.runtime_class_name = shared.runtime_class_name;
  if (pod.runtime_class_name.equals("")) pod.runtime_class_name = {};  // left out
  return pod;
}

/// The pod of Ollama's chart: `number` of `nvidiaResource` or of `amd.com/gpu`, and for NVIDIA the
/// toleration that the chart adds. With MIG devices and claims it is unknown.
[[nodiscard]] PodSpec read_ollama(Node values) {
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

/// Finds the parts of pods in one mapping of values.
class Finder {
 public:
  Finder(Node root, bool has_own_tolerations) : root_(root), knows_all_(!has_own_tolerations) {}

  [[nodiscard]] std::vector<Workload> find() {
    search(root_);
    return std::move(found_);
  }

 private:
  void search(Node at) {
    if (at.is_mapping()) {
      if (is_object(at)) return;
      if (at.get("containers").is_sequence()) return add_containers(at);
      read(at);
      for (const Node::Entry& entry : at.entries()) {
        if (!is_part_of_pod(entry.key.text())) search(entry.value);
      }
    } else if (at.is_sequence()) {
      for (const Node child : at.children()) search(child);
    }
  }

  [[nodiscard]] static bool is_part_of_pod(std::string_view key) {
    constexpr std::array<std::string_view, 6> parts{"tolerations", "nodeSelector", "affinity",
                                                    "resources",   "env",          "metadata"};
    return is_listed(parts, key);
  }

  void read(Node at) {
    const std::string_view key = at.key() ? at.key().text() : std::string_view{};
    if (key == "kubespawner_override") return add_override(at);
    if (key == "singleuser") return add_single_user(at);
    if (is_served_model(at)) return add_served_model(at);
    if (is_ollama(at)) return add_ollama(at);
    if (says_of_pod(at)) add_plain(at);
  }

  [[nodiscard]] Workload make(Node at) const {
    Workload workload;
    workload.origin = Workload::Origin::values;
    workload.object = root_;
    workload.template_node = at;
    workload.name = path_of(at, root_);
    workload.pod.node = at;
    return workload;
  }

  /// What is not set is unknown, except for tolerations of a part that requests GPUs, if no layer
  /// has any.
  void add(Workload workload) {
    PodSpec& pod = workload.pod;
    const bool requests = std::ranges::any_of(pod.containers, [](const Container& container) {
      return requests_device(container.resources);
    });
    if (!pod.tolerations_node && !(requests && knows_all_)) pod.tolerations_opaque = true;
    found_.push_back(std::move(workload));
  }

  void add_plain(Node at) {
    Workload workload = make(at);
    workload.pod = read_pod_part(at);
    add(std::move(workload));
  }

  void add_served_model(Node at) {
    Workload workload = make(at);
    workload.pod = read_served_model(at);
    add_required_terms(workload.pod, at.get("nodeSelectorTerms"));
    found_.push_back(std::move(workload));
  }

  void add_ollama(Node at) {
    Workload workload = make(at);
    workload.pod = read_ollama(at);
    found_.push_back(std::move(workload));
  }

  /// A pod with its containers, to which the chart adds: missing amounts are unknown.
  void add_containers(Node at) {
    if (!is_container_list(at.get("containers"))) return;
    Workload workload = make(at);
    workload.pod = read_pod_spec(at);
    for (Container& container : workload.pod.containers) {
      if (!container.resources.limits_node) container.resources = {};
      leave_own_names(container.resources.limits);
      leave_own_names(container.resources.requests);
    }
    workload.pod.tolerations_opaque = !workload.pod.tolerations_node;
    found_.push_back(std::move(workload));
  }

  void add_single_user(Node at) {
    if (!at.is_mapping()) return;
    Workload workload = make(at);
    PodSpec& pod = workload.pod;
    pod.node_selector_node = at.get("nodeSelector");
    pod.node_selector = read_string_map(pod.node_selector_node);
    scheduling_ = at.parent().at("scheduling", "userPods");
    add_tolerations(pod, at.get("extraTolerations"));
    add_user_tolerations(pod);
    add_required_terms(pod, at.at("extraNodeAffinity", "required"));
    const Node extra = at.get("extraResource");
    pod.containers.push_back(container_with(extra.get("limits"), extra.get("guarantees"), at));
    single_user_ = pod.tolerations_node;
    if (!single_user_) pod.node = Node{};  // `tolerations` would not be a key of it
    add(std::move(workload));
  }

  /// What a profile overrides replaces lists and adds to mappings.
  void add_override(Node at) {
    if (!at.is_mapping()) return;
    Workload workload = make(at);
    PodSpec& pod = workload.pod;
    pod.node_selector_node = at.get("node_selector");
    pod.node_selector = read_string_map(pod.node_selector_node);
    const Node own = at.get("tolerations");
    add_tolerations(pod, own ? own : single_user_);
    if (!own) add_user_tolerations(pod);
    if (own.is_scalar() && own.is_opaque()) pod.tolerations_opaque = true;
    add_required_terms(pod, at.get("node_affinity_required"));
    if (at.get("extra_pod_config")) pod.tolerations_opaque = true;
    pod.containers.push_back(
        container_with(at.get("extra_resource_limits"), at.get("extra_resource_guarantees"), at));
    add(std::move(workload));
  }

  /// What the chart lets all pods of users tolerate, unless a profile sets its own list
  /// (jupyterhub/zero-to-jupyterhub-k8s 48ea50e34dad, files/hub/jupyterhub_config.py and
  /// values.yaml).
  void add_user_tolerations(PodSpec& pod) const {
    const Node list = scheduling_.get("tolerations");
    for (Toleration& each : read_tolerations(list)) pod.tolerations.push_back(std::move(each));
    pod.tolerations_opaque = pod.tolerations_opaque || list.is_opaque();
    if (list) return;
    for (const char* key : {"hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated"}) {
      Toleration& own = pod.tolerations.emplace_back();
      own.key = Field<std::string>::known(key);
      own.value = Field<std::string>::known("user");
      own.effect = Field<std::string>::known("NoSchedule");
    }
  }

  static void add_tolerations(PodSpec& pod, Node list) {
    pod.tolerations_node = list;
    pod.tolerations = read_tolerations(list);
  }

  Node root_;
  bool knows_all_;
  Node single_user_;  ///< Its tolerations, which profiles begin with.
  Node scheduling_;   ///< `scheduling.userPods` of zero-to-jupyterhub.
  std::vector<Workload> found_;
};

/// Objects of which there are many, and that hold no values.
[[nodiscard]] bool is_plain_object(Node top) {
  const std::string_view kind = top.get("kind").text();
  return top.get("apiVersion") && (kind == "Node" || facts_of_kind(kind).traits.core);
}

/// Whether the values name tolerations that other pods may receive.
[[nodiscard]] bool names_tolerations(Node root) {
  return any_below(root, [](Node at) {
    const bool is_empty_list = at.is_sequence() && at.size() == 0;
    if (!at.key() || at.is_null() || is_empty_list) return false;
    const std::string_view key = at.key().text();
    return key == "tolerations" || key == "extraTolerations" || key == "extra_pod_config";
  });
}

/// The pod of a patch; the template and other patches have more of it.
[[nodiscard]] Workload read_patch(Node patch) {
  Node object(*patch.document()->host, patch.document()->host_node);
  while (object.parent() && !object.get("kind")) object = object.parent();
  Workload workload;
  workload.origin = Workload::Origin::values;
  workload.object = object;
  workload.template_node = patch;
  workload.kind = read_string(object, "kind");
  workload.name = object_name(object);
  workload.role = "podSpecPatch";
  workload.pod = read_pod_spec(patch);
  for (Container& container : workload.pod.containers) {  // the template may have the limits
    if (!container.resources.limits_node) container.resources.requests.clear();
  }
  mark_missing_unknown(workload.pod);
  return workload;
}

}  // namespace

bool is_served_model(Node mapping) {
  const Node list = mapping.parent();
  return mapping.is_mapping() && list.is_sequence() && list.key().text() == "modelSpec" &&
         list.parent().key().text() == "servingEngineSpec";
}

bool is_ollama(Node values) {
  const Node gpu = values.at("ollama", "gpu");
  // a word counts as true in a template
  const Node enabled = gpu.get("enabled");
  return values.is_mapping() && gpu.is_mapping() && enabled.is_scalar() && !enabled.is_null() &&
         !enabled.is_opaque() && !enabled.text().empty() && enabled.text() != "false";
}

bool is_pod_spec_patch(const Document& document) {
  return document.host != nullptr &&
         Node(*document.host, document.host_node).key().text() == "podSpecPatch";
}

bool says_of_pod(Node mapping) {
  return are_tolerations(mapping.get("tolerations")) ||
         is_node_selector(mapping.get("nodeSelector")) ||
         mapping.at("affinity", "nodeAffinity").is_mapping() ||
         is_resources(mapping.get("resources"));
}

PodSpec read_pod_part(Node mapping) {
  PodSpec pod = read_pod_spec(mapping);
  pod.pod_resources = {};
  if (pod.runtime_class_name.equals("")) pod.runtime_class_name = {};  // as charts leave it out
  if (!is_node_selector(pod.node_selector_node)) pod.node_selector.clear();
  const Node resources = mapping.get("resources");
  if (resources) pod.containers.push_back(container_with(resources, mapping));
  return pod;
}

std::vector<Node> find_chart_values(const Document& document) {
  const Node top = root(document);
  if (!document.errors.empty() || !top || is_plain_object(top)) return {};
  std::vector<Node> found;
  if (!is_object(top)) {
    const bool is_text =
        document.host != nullptr && !are_values(document) && !is_pod_spec_patch(document);
    const bool is_schema = top.get("$schema") || top.get("properties").is_mapping();
    if (top.is_mapping() && !is_text && !is_schema) found.push_back(top);
  }
  if (found.empty() && document.host == nullptr) {
    for (const HelmValuesSource& place : find_helm_values_sources(top)) {
      const Node values = place.values.resolved();
      if (values.is_mapping()) found.push_back(values);
    }
  }
  const bool is_read_elsewhere =
      !found.empty() && (!flyte::find_flyte(document).empty() || is_terraform(top) ||
                         is_device_plugin_config(document) || is_mig_config(document));
  if (is_read_elsewhere) found.clear();
  return found;
}

std::vector<Workload> find_chart_pods(const std::vector<const Document*>& documents) {
  std::vector<Node> roots;
  for (const Document* document : documents) {
    std::ranges::move(find_chart_values(*document), std::back_inserter(roots));
  }
  const bool has_tolerations = std::ranges::any_of(roots, names_tolerations);
  std::vector<Workload> pods;
  for (const Node values : roots) {
    if (is_pod_spec_patch(*values.document())) {
      pods.push_back(read_patch(values));
      continue;
    }
    std::ranges::move(Finder(values, has_tolerations).find(), std::back_inserter(pods));
  }
  return pods;
}

}  // namespace gpulint

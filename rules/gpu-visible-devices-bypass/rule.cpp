#include "compiler/engine/rule.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/gpu_operator.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_visible_devices_bypass {
namespace {

/// Images of CUDA and of NVIDIA's catalogue set `NVIDIA_VISIBLE_DEVICES=all` (nvidia/cuda,
/// Dockerfiles of 12.4).
[[nodiscard]] bool makes_all_visible(const Container& container) {
  if (!container.image.is_known()) return false;
  const std::string image = to_lower(container.image.value());
  return image.find("cuda") != std::string::npos || image.starts_with("nvcr.io/nvidia/");
}

/// The limit of 0; null if there is none, or if the container sets its devices in another way.
[[nodiscard]] const ResourceEntry* find_zero_limit(const Container& container) {
  const ResourceRequirements& resources = container.resources;
  if (resources.opaque || !resources.claims.empty() || container.node.get("envFrom")) {
    return nullptr;
  }
  const bool sets_devices = std::ranges::any_of(container.env, [](const EnvVar& variable) {
    return !variable.name.is_known() || variable.name.value() == "NVIDIA_VISIBLE_DEVICES";
  });
  const ResourceEntry* zero = nullptr;
  for (const ResourceEntry& limit : resources.limits) {
    if (!is_nvidia_device(limit.name.value)) continue;
    if (!limit.amount.is_known() || !limit.amount.value().is_zero()) return nullptr;
    zero = &limit;
  }
  return sets_devices ? nullptr : zero;
}

/// Whether NVIDIA's runtime may start the pod; it is the default on many nodes.
[[nodiscard]] bool may_run_under_nvidia(const Corpus& corpus, const PodSpec& pod) {
  if (corpus.cluster.provider == Provider::gke) return false;  // its nodes have another default
  const auto& name = pod.runtime_class_name;
  return name.is_absent() || (name.is_known() && name.value().starts_with("nvidia"));
}

/// Whether the pod may fit a node with accelerators; true if there are no nodes in the inputs.
[[nodiscard]] bool may_reach_gpus(const Corpus& corpus, const Workload& workload) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return true;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const auto& workloads = nodes.placement().workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (nodes.size() == 0 || found == workloads.end()) return true;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) == Ternary::no) continue;
    if (nodes.fits(nodes.placement().pod(index), i) != Ternary::no) return true;
  }
  return false;
}

/// Reports containers with a limit of 0 and an image that makes all GPUs visible. The device plugin
/// sets `NVIDIA_VISIBLE_DEVICES` only if it allocates a device, so the image's `all` takes effect
/// under NVIDIA's runtime. Silent if the runtime is another one (GKE, the pod's RuntimeClass), and
/// if the pod fits no node with accelerators.
void check_zero_limits(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload) || !may_run_under_nvidia(corpus, workload.pod)) continue;
    for (const Container& container : workload.pod.containers) {
      const ResourceEntry* const zero = find_zero_limit(container);
      if (zero == nullptr || !makes_all_visible(container)) continue;
      if (!may_reach_gpus(corpus, workload)) continue;
      reporter
          .report(zero->name.node, "{} has the limit `{}: 0`, but its image makes all GPUs visible",
                  describe(container), zero->name.value)
          .related(container.image.node(), "this image sets `NVIDIA_VISIBLE_DEVICES` to `all`")
          .help(
              "set `NVIDIA_VISIBLE_DEVICES` to `void`. Otherwise the container sees every GPU on "
              "nodes that use NVIDIA's runtime by default");
    }
  }
}

// Variables that select GPUs, and what sets them.

/// A variable that Flyte sets in every pod: `default-env-vars`, `default-env-vars-from-env`.
struct FlyteVariable {
  Node node;          ///< Its name.
  std::string name;   ///< As in pods: Flyte's loader may change letter case.
  std::string value;  ///< `$NAME` if it comes from propeller's environment.
};

/// Whether NVIDIA's container runtime makes devices visible: not for `void`, `none` and "".
[[nodiscard]] bool makes_visible(std::string_view value) {
  return !value.empty() && value != "void" && value != "none";
}

/// The indices of a list like `0,2`; nullopt for other values (UUIDs, `all`, the empty string).
[[nodiscard]] std::optional<std::vector<std::int64_t>> read_indices(std::string_view list) {
  std::vector<std::int64_t> indices;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string_view item = trim(list.substr(begin, comma - begin));
    std::int64_t index = -1;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), index);
    if (error != std::errc{} || end != item.data() + item.size() || index < 0) return std::nullopt;
    indices.push_back(index);
    begin = comma + 1;
  }
  return indices;
}

/// The variables with a written value in a file.
[[nodiscard]] std::vector<FlyteVariable> flyte_variables(const flyte::K8sPluginConfig& config) {
  constexpr std::string_view from_environment = "default-env-vars-from-env";
  std::vector<FlyteVariable> variables;
  for (const std::string_view setting : {std::string_view("default-env-vars"), from_environment}) {
    const flyte::ConfigValue* const found = config.tree.find(setting);
    if (found == nullptr) continue;
    for (const flyte::ConfigEntry& entry : found->entries) {
      if (!entry.key_node || entry.value.opaque) continue;
      const std::string_view sign = setting == from_environment ? "$" : "";
      variables.push_back({entry.key_node, entry.key, std::string(sign) + entry.value.text});
    }
  }
  return variables;
}

constexpr std::string_view nvidia_variable = "NVIDIA_VISIBLE_DEVICES";

constexpr std::string_view remove_variable =
    "remove the variable, because the device plugin sets `NVIDIA_VISIBLE_DEVICES` to the allocated "
    "GPUs";

/// The number of whole NVIDIA GPUs of the container; nullopt if it is unknown.
[[nodiscard]] std::optional<std::int64_t> count_gpus(const Container& container) {
  const ResourceEntry* request = find_gpu_request(container);
  if (request == nullptr || request->name.value != "nvidia.com/gpu") return std::nullopt;
  if (!request->amount.is_known() || !container.resources.claims.empty()) return std::nullopt;
  return request->amount.value().value();
}

/// The setting with which the container toolkit reads the variable only in privileged containers;
/// null if there is none (NVIDIA Container Toolkit, `accept-nvidia-visible-devices-envvar-when-
/// unprivileged`).
[[nodiscard]] Node find_refusal(const Corpus& corpus) {
  for (const OperatorSettings& one : gpu_operator_settings(corpus)) {
    for (const Node variable : one.settings.at("toolkit", "env").items()) {
      const Field<std::string> value = read_string(variable, "value");
      const bool is_it = read_string(variable, "name")
                             .equals("ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED");
      if (is_it && value.equals("false")) return value.node();
    }
  }
  return {};
}

/// NVIDIA's container runtime makes these devices visible, whatever was allocated. `refusal`: of
/// find_refusal().
void check_nvidia(Reporter& reporter, Node refusal, const Container& container,
                  const EnvVar& variable) {
  const std::string& value = variable.value.value();
  if (!makes_visible(value)) return;
  if (refusal && !container.privileged.equals(true)) {
    if (requests_gpu(container)) return;
    reporter
        .report(variable.name.node(),
                "{} sets `NVIDIA_VISIBLE_DEVICES: {}`, but the container toolkit ignores the "
                "variable",
                describe(container), value)
        .related(refusal,
                 "with `false`, the toolkit reads `NVIDIA_VISIBLE_DEVICES` only in privileged "
                 "containers")
        .help("request `nvidia.com/gpu`. Otherwise the container sees no GPU");
    return;
  }
  if (const ResourceEntry* request = find_gpu_request(container)) {
    if (!is_nvidia_device(request->name.value)) return;
    reporter
        .report(variable.name.node(),
                "`NVIDIA_VISIBLE_DEVICES: {}` overrides the GPUs allocated to {}", value,
                describe(container))
        .related(request->name.node, "the device plugin allocates GPUs for this request")
        .help("{}", remove_variable);
  } else if (!requests_gpu(container)) {
    reporter
        .report(variable.name.node(),
                "{} makes GPUs visible with `NVIDIA_VISIBLE_DEVICES: {}`, but requests no GPU",
                describe(container), value)
        .help(
            "request `nvidia.com/gpu`, or set the variable to `void`. Otherwise the scheduler does "
            "not know that the container uses GPUs");
  }
}

/// ``the only GPU of container `a` has index 0``; ``the 4 GPUs of … have the indices 0 to 3``.
[[nodiscard]] std::string numbered_gpus(std::int64_t count, const Container& container) {
  const std::string owner = describe(container);
  if (count == 0) return owner + " requests no GPU";
  if (count == 1) return fmt::format("the only GPU of {} has index 0", owner);
  return fmt::format("the {} GPUs of {} have the indices 0 {} {}", count, owner,
                     count == 2 ? "and" : "to", count - 1);
}

/// CUDA selects among the visible devices.
void check_cuda(Reporter& reporter, const PodSpec& pod, const Container& container,
                const EnvVar& variable) {
  const std::string& value = variable.value.value();
  const auto indices = read_indices(value);
  if (!indices) return;
  if (!may_request_gpu(pod)) {
    reporter
        .report(variable.name.node(),
                "{} selects a GPU with `CUDA_VISIBLE_DEVICES: {}`, but requests no GPU",
                describe(container), value)
        .help(
            "request `nvidia.com/gpu`, because `CUDA_VISIBLE_DEVICES` selects only among GPUs that "
            "are visible in the container");
    return;
  }
  const auto count = count_gpus(container);
  if (!count || std::ranges::max(*indices) < *count) return;
  const auto beyond = [&](std::int64_t index) { return index >= *count; };
  const auto seen = std::ranges::find_if(*indices, beyond) - indices->begin();
  const std::int64_t missing = (*indices)[static_cast<std::size_t>(seen)];
  reporter
      .report(variable.name.node(), "`CUDA_VISIBLE_DEVICES: {}` lists index {}, but {}", value,
              missing, numbered_gpus(*count, container))
      .related(find_gpu_request(container)->name.node,
               "the container receives only the GPUs that it requests here")
      .help(
          "{}",
          seen < *count
              ? fmt::format("remove the variable to use all requested GPUs. Otherwise CUDA ignores "
                            "index {} and "
                            "all later indices, and sees {}",
                            missing,
                            seen == 0 ? std::string("no GPU")
                                      : "only " + count_text(static_cast<std::size_t>(seen), "GPU"))
              : fmt::format(
                    "remove the variable, because its other indices already select all requested "
                    "GPUs. CUDA ignores everything from the missing index {}",
                    missing))
      .severity(seen < *count ? Severity::warning : Severity::info);
}

/// Reports variables that make GPUs visible which the container was not allocated.
void check_container(Reporter& reporter, Node refusal, const PodSpec& pod,
                     const Container& container) {
  if (container.resources.opaque) return;
  for (const EnvVar& variable : container.env) {
    if (!variable.name.is_known() || !variable.value.is_known()) continue;
    const std::string& name = variable.name.value();
    if (name == nvidia_variable) check_nvidia(reporter, refusal, container, variable);
    if (name == "CUDA_VISIBLE_DEVICES") check_cuda(reporter, pod, container, variable);
  }
}

void check_flyte(Reporter& reporter, const flyte::K8sPluginConfig& config) {
  for (const FlyteVariable& variable : flyte_variables(config)) {
    if (variable.name != "NVIDIA_VISIBLE_DEVICES" || !makes_visible(variable.value)) continue;
    reporter
        .report(variable.node,
                "Flyte sets `NVIDIA_VISIBLE_DEVICES: {}` in every pod, even if the pod requests no "
                "GPU",
                variable.value)
        .help("{}", remove_variable);
  }
}

/// Checks Pods with `containers` below `metadata`, in addition to misplaced-resources.
void check_misplaced(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const Node metadata = object.node.get("metadata");
    if (!object.kind.equals("Pod") || object.node.get("spec") || !metadata.get("containers")) {
      continue;
    }
    const PodSpec pod = read_pod_spec(metadata);
    for (const Container& container : pod.containers) {
      check_container(reporter, {}, pod, container);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_misplaced(corpus, reporter);
  check_zero_limits(corpus, reporter);
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    check_flyte(reporter, installation.loaded.propeller.k8s);
  }
  const Node refusal = find_refusal(corpus);
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload)) continue;
    for (const Container& container : workload.pod.containers) {
      check_container(reporter, refusal, workload.pod, container);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::gpu_visible_devices_bypass

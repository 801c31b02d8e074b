#include "rules/gpu-count-in-command/declared_counts.h"

#include <algorithm>

#include "compiler/ir/read.h"
#include "compiler/model/gpu_resource.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

[[nodiscard]] std::optional<DeclaredCount> read_count(Node mapping, std::string_view field) {
  const Field<std::int64_t> count = read_int(mapping, field);
  if (count.is_known()) return DeclaredCount{field, count.value(), count.node()};
  // `nprocPerNode` is text: `auto`, or a number.
  const Field<std::string> text = read_string(mapping, field);
  if (!text.is_known() || text.value().empty() || text.value().size() > 4) return std::nullopt;
  if (text.value().find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return DeclaredCount{field, std::stoll(text.value()), text.node()};
}

/// Devices that a process is not given as a whole: a Neuron device is two cores and more (AWS
/// «NeuronCore Architecture»), Intel's Max GPUs have tiles.
[[nodiscard]] bool has_several_of_a_device(std::string_view resource) {
  return resource.starts_with("aws.amazon.com/") || resource.starts_with("gpu.intel.com/");
}

}  // namespace

std::optional<DeclaredCount> find_declared_count(const Workload& workload) {
  if (workload.origin == Workload::Origin::values) {
    const Node model = workload.template_node;
    if (model.at("raySpec", "enabled").text() == "true") return std::nullopt;
    return read_count(model.get("vllmConfig"), "tensorParallelSize");
  }
  const Node spec = workload.object.get("spec");
  std::optional<DeclaredCount> found;
  if (workload.kind.equals("MPIJob") && workload.role == "Worker") {
    found = read_count(spec, "slotsPerWorker");
    if (found) found->is_fatal = false;
  } else if (workload.kind.equals("PyTorchJob")) {
    found = read_count(spec, "nprocPerNode");
  } else if (workload.kind.equals("TrainJob")) {
    found = read_count(spec.get("trainer"), "numProcPerNode");
  } else if (workload.kind.equals("LLMInferenceService")) {
    const bool is_prefill = workload.role == "prefill";
    const Node part = is_prefill ? spec.get("prefill") : spec;
    const bool is_whole = is_prefill || workload.role.empty();
    if (!is_whole || part.get("worker")) return std::nullopt;
    found = read_count(part.get("parallelism"), "tensor");
    if (found) found->field = "parallelism.tensor";
  }
  return found;
}

const ResourceEntry* find_devices(const Container& container) {
  const ResourceRequirements& resources = container.resources;
  if (resources.opaque || !resources.claims.empty()) return nullptr;
  const ResourceEntry* found = nullptr;
  for (const ResourceEntry& limit : resources.limits) {
    const auto kind = classify_resource(limit.name.value).kind;
    if (kind == GpuResource::Kind::none || kind == GpuResource::Kind::auxiliary ||
        kind == GpuResource::Kind::attribute) {
      continue;
    }
    const bool is_plain = kind == GpuResource::Kind::device && limit.amount.is_known() &&
                          !limit.amount.value().is_zero() &&
                          !has_several_of_a_device(limit.name.value);
    if (!is_plain || found != nullptr) return nullptr;
    found = &limit;
  }
  return found;
}

std::int64_t most_processes(const ResourceEntry& devices, const PodSpec& pod) {
  const std::int64_t amount = devices.amount.value().value();
  if (devices.name.value != "google.com/tpu") return amount;
  constexpr std::string_view label = "cloud.google.com/gke-tpu-accelerator";
  for (const LabelEntry& entry : pod.node_selector) {
    if (entry.key.value != label || !entry.value.is_known()) continue;
    const auto known =
        std::ranges::find(tpu_devices(), entry.value.value(), &TpuDevices::accelerator);
    if (known != tpu_devices().end()) return amount * known->per_chip;
  }
  return amount * std::ranges::max(tpu_devices(), {}, &TpuDevices::per_chip).per_chip;
}

void check_declared(Reporter& reporter, const Workload& workload) {
  const std::optional<DeclaredCount> declared = find_declared_count(workload);
  if (!declared) return;
  for (const Container& container : workload.pod.containers) {
    const ResourceEntry* const devices = find_devices(container);
    if (devices == nullptr) continue;
    const std::int64_t limit = devices->amount.value().value();
    const std::int64_t most = most_processes(*devices, workload.pod);
    if (declared->count <= most) return;
    reporter
        .report(declared->node, "`{}: {}` starts more processes than {} has `{}`: {}",
                declared->field, declared->count, describe(workload), devices->name.value, limit)
        .related(devices->name.node, "the limit")
        .severity(declared->is_fatal ? Severity::error : Severity::warning)
        .help("one process for each GPU: ask for {} or start {}",
              (declared->count * limit + most - 1) / most, most);
    return;
  }
}

}  // namespace gpulint::rules::gpu_count_in_command

#include "rules/gpu-count-in-command/declared_counts.h"

#include "compiler/ir/read.h"

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

}  // namespace gpulint::rules::gpu_count_in_command

#include "rules/fractional-gpu/amounts.h"

#include <algorithm>
#include <string>

#include "compiler/model/gpu_resource.h"
#include "compiler/model/read_pod.h"

namespace gpulint::rules::fractional_gpu {
namespace {

/// What is wrong with the amount, as the rest of a sentence; empty if nothing is.
[[nodiscard]] std::string_view flaw_of(const Field<Quantity>& amount) {
  if (amount.is_mistyped()) return "which is no quantity";
  if (!amount.is_known()) return {};
  if (amount.value().is_negative()) return "which is negative";
  return amount.value().is_whole() ? std::string_view{} : "and devices are whole";
}

}  // namespace

bool counts_devices(std::string_view name) {
  using Kind = GpuResource::Kind;
  const Kind kind = classify_resource(name).kind;
  return kind != Kind::none && kind != Kind::removed && kind != Kind::near_miss &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

void check_amount(const Corpus& corpus, Reporter& reporter, std::string_view name, Node value) {
  const std::string_view flaw = flaw_of(read_quantity(value));
  if (flaw.empty()) return;
  std::string written(value.is_scalar() ? value.text() : corpus.sources->text(value.span()));
  written.resize(std::min<std::size_t>(written.size(), 40));
  reporter.report(value, "`{}` asks for `{}`, {}", name, written, flaw)
      .help(
          "ask for a whole device; for a part of one the cluster needs MIG, MPS or time-slicing, "
          "and the pod asks for the resource that these offer");
}

void check_own_words(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    for (const Container& container : workload.pod.containers) {
      for (const ResourceEntry& limit : container.resources.limits) {
        const Node value = limit.amount.node();
        const bool is_own = !container.resources.limits_node ||
                            workload.api_version.value_or("").starts_with("nvidia.com/");
        if (is_own && counts_devices(limit.name.value)) {
          check_amount(corpus, reporter, limit.name.value, value);
        }
      }
    }
  }
}

void check_served_model(Reporter& reporter, Node model) {
  const Node value = model.get("requestGPU");
  const Field<Quantity> amount = value ? read_quantity(value) : Field<Quantity>{};
  if (!amount.is_known() || amount.value().is_negative() || amount.value().is_whole()) return;
  const bool is_none = amount.value().milli_value() < 1000;
  reporter
      .report(value, "`requestGPU: {}`, {}", value.text(),
              is_none ? "of which the chart makes no request at all" : "and devices are whole")
      .help("{}: ask for a whole device; to share one the cluster needs MIG, MPS or time-slicing",
            is_none ? "pods land where GPUs are not, or use a GPU that nobody counts"
                    : "Kubernetes refuses the pods");
}

}  // namespace gpulint::rules::fractional_gpu

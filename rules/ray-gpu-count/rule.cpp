#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/support/edits.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules {
namespace {

/// The GPU limit that KubeRay counts, or would count if it understood the name.
[[nodiscard]] const RayAccelerator* find_gpu(const RayGroup& group) {
  const auto is_gpu = [](const RayAccelerator& accelerator) {
    return accelerator.limit.amount.is_known() && !accelerator.limit.amount.value().is_zero() &&
           !is_no_gpu_to_ray(accelerator.limit.name.value);
  };
  const auto at = std::ranges::find_if(group.accelerators, is_gpu);
  return at == group.accelerators.end() ? nullptr : &*at;
}

/// No number at all: `false` drops the flag and keeps KubeRay from deriving it, `true` gives it
/// without a value, and other texts reach `ray start`, whose option is an integer.
void report_no_number(Reporter& reporter, const RayGroup& group, const RayAccelerator& gpu,
                      const Field<std::string>& parameter) {
  const bool is_dropped = group.num_gpus.state == RayFlag::State::absent;
  reporter
      .report(parameter.node(), "`num-gpus: {}` {}", parameter.value(),
              is_dropped ? "keeps KubeRay from deriving any" : "is no number, as `ray start` wants")
      .related(gpu.limit.amount.node(), "the limit")
      .help("leave the parameter out, and KubeRay derives it from the limit")
      .severity(is_dropped ? Severity::warning : Severity::error);
}

void check_declared(const Corpus& corpus, Reporter& reporter, const RayGroup& group,
                    const Field<std::string>& parameter) {
  const auto declared = parse_ray_count(parameter.value());
  const RayAccelerator* gpu = find_gpu(group);
  if (!declared && gpu != nullptr) return report_no_number(reporter, group, *gpu, parameter);
  if (!declared || *declared == 0) return;  // 0 keeps Ray's GPU tasks off a head on purpose
  if (gpu == nullptr) {
    if (!group.accelerators.empty()) return;
    reporter
        .report(parameter.node(), "`num-gpus: {}` of {} whose container has no GPU limit",
                parameter.value(), group.is_head ? "the head" : "group `" + group.name + "`")
        .help(
            "Ray then sends GPU tasks to pods without a GPU; leave the parameter out, and KubeRay "
            "derives it from the limit")
        .severity(Severity::warning);
    return;
  }
  const std::int64_t limit = gpu->limit.amount.value().value();
  if (*declared == limit) return;
  reporter
      .report(parameter.node(), "`num-gpus: {}` and a limit of {} `{}`", parameter.value(), limit,
              gpu->limit.name.value)
      .related(gpu->limit.amount.node(), "the limit")
      .help("Ray believes the parameter; leave it out, and KubeRay derives it from the limit")
      .fix(Safety::unsafe, fmt::format("set it to {}", limit),
           replace_string(*corpus.sources, parameter.node(), std::to_string(limit)));
}

void check_derived(const Corpus& corpus, Reporter& reporter, const RayGroup& group) {
  const RayAccelerator* gpu = find_gpu(group);
  if (gpu == nullptr || group.num_gpus.state != RayFlag::State::absent) return;
  Finding finding = reporter.report(gpu->limit.name.node, "KubeRay derives no `num-gpus` from `{}`",
                                    gpu->limit.name.value);
  finding.help("Ray sees no GPU on these pods; set `num-gpus: \"{}\"` in `rayStartParams`",
               gpu->limit.amount.value().to_string());
  if (group.params_node) {
    finding.fix(Safety::unsafe, "declare them",
                insert_entry(*corpus.sources, group.params_node, "num-gpus",
                             fmt::format("\"{}\"", gpu->limit.amount.value().to_string())));
  }
  if (group.resources_unreadable) {
    finding.related(group.params_node.get("resources"),
                    "no JSON map of numbers, so nothing is derived at all");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayGroup& group : cluster.groups) {
      const auto parameter = group.params.find("num-gpus");
      if (parameter != group.params.end() && parameter->second.is_known()) {
        check_declared(corpus, reporter, group, parameter->second);
      } else if (parameter == group.params.end()) {
        check_derived(corpus, reporter, group);
      }
    }
  }
}

}  // namespace

extern constinit const Rule ray_gpu_count;
constinit const Rule ray_gpu_count{
    .info = {.id = "ray-gpu-count",
             .category = "operators",
             .summary = "Ray is told another number of GPUs than its pods have.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules

#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/read_pod.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules::ray_gpu_count {
namespace {

/// Without the parameter Ray detects the GPUs of its pod. The autoscaler needs the number before
/// there is a pod.
void check_derived(const Corpus& corpus, Reporter& reporter, const RayCluster& cluster,
                   const RayGroup& group) {
  const RayAccelerator* gpu = find_ray_gpu(group);
  if (gpu == nullptr || !is_autoscaled(cluster, group)) return;
  const auto is_understood = [](const RayAccelerator& accelerator) {
    return accelerator.limit.name.value.ends_with("gpu");
  };
  if (std::ranges::any_of(group.accelerators, is_understood)) return;
  const std::string amount = gpu->limit.amount.value().to_string();
  reporter
      .report(gpu->limit.name.node, "Ray's autoscaler does not count `{}` as GPUs",
              gpu->limit.name.value)
      .help(
          "set `num-gpus: \"{}\"` in `rayStartParams`. Otherwise the autoscaler starts no pod of "
          "group `{}` for GPU tasks",
          amount, group.name)
      .severity(Severity::warning)
      .fix(Safety::unsafe, fmt::format("set `num-gpus: \"{}\"`", amount),
           insert_entry(*corpus.sources, group.params_node, "num-gpus",
                        fmt::format("\"{}\"", amount)));
}

void offer_limit(const Corpus& corpus, Finding& finding, const RayAccelerator& gpu,
                 const Field<std::string>& parameter) {
  const std::string limit = gpu.limit.amount.value().to_string();
  finding.fix(Safety::unsafe, fmt::format("set `num-gpus` to {}", limit),
              replace_string(*corpus.sources, parameter.node(), limit));
}

/// Reports a value that is not a number. `true` sets the flag without a value, and other texts
/// reach `ray start`, whose option is an integer. `false` removes the flag, and Ray detects the
/// GPUs; but the autoscaler reads the parameter of every group as an integer, and fails.
void report_no_number(const Corpus& corpus, Reporter& reporter, const RayCluster& cluster,
                      const RayGroup& group, const Field<std::string>& parameter) {
  const bool is_dropped = group.num_gpus.state == RayFlag::State::absent;
  if (is_dropped && !has_autoscaler(cluster)) return;
  const RayAccelerator* gpu = find_ray_gpu(group);
  Finding finding =
      reporter.report(parameter.node(), "`num-gpus: {}` is not a valid number of GPUs for {}",
                      parameter.value(), is_dropped ? "Ray's autoscaler" : "`ray start`");
  finding.related(gpu == nullptr ? Node{} : gpu->limit.amount.node(),
                  "the container has this GPU limit");
  if (gpu == nullptr) {
    finding.help("set `num-gpus` to a whole number, or remove the parameter");
    return;
  }
  finding.help("set `num-gpus` to {}, or remove the parameter to use the limit",
               gpu->limit.amount.value().to_string());
  offer_limit(corpus, finding, *gpu, parameter);
}

/// Logical GPUs are intended if the image cannot use GPUs.
void report_without_limit(Reporter& reporter, const RayGroup& group,
                          const Field<std::string>& parameter) {
  const Container ray = read_container(group.container, ContainerKind::main);
  if (!group.accelerators.empty() || ray.resources.opaque || !ray.resources.claims.empty()) return;
  const bool is_logical = classify_ray_image(ray.image.value_or("")) == RayImage::cpu;
  reporter
      .report(parameter.node(), "{} sets `num-gpus: {}`, but its container has no GPU limit",
              group.is_head ? "the head" : "group `" + group.name + "`", parameter.value())
      .help(
          "add a GPU limit to the container, or remove `num-gpus`. Otherwise Ray sends GPU tasks "
          "to pods without GPUs")
      .severity(is_logical ? Severity::info : Severity::warning);
}

void check_declared(const Corpus& corpus, Reporter& reporter, const RayCluster& cluster,
                    const RayGroup& group, const Field<std::string>& parameter) {
  const auto declared = parse_ray_count(parameter.value());
  if (!declared || *declared < 0) {
    return report_no_number(corpus, reporter, cluster, group, parameter);
  }
  if (*declared == 0) return;  // no GPU tasks on this head, intended
  const RayAccelerator* gpu = find_ray_gpu(group);
  if (gpu == nullptr) return report_without_limit(reporter, group, parameter);
  const std::string_view name = gpu->limit.name.value;
  const std::int64_t limit = gpu->limit.amount.value().value();
  const bool is_more = *declared > limit;
  // Several replicas may be on one GPU, and a CUDA process uses a single MIG device.
  const bool is_part = classify_resource(name).shared || name.find("mig-") != name.npos;
  if (*declared == limit || (!is_more && is_part)) return;
  Finding finding =
      reporter.report(parameter.node(), "`num-gpus: {}` differs from the limit `{}: {}`",
                      parameter.value(), name, limit);
  finding.related(gpu->limit.amount.node(), "the container has this GPU limit")
      .help("set `num-gpus` to {}, or remove the parameter to use the limit. Otherwise Ray {}",
            limit,
            is_more ? "assigns GPUs that the pod does not have" : "leaves GPUs of the pod idle")
      .severity(is_more ? Severity::error : Severity::warning);
  offer_limit(corpus, finding, *gpu, parameter);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayGroup& group : cluster.groups) {
      const auto parameter = group.params.find("num-gpus");
      if (parameter == group.params.end()) {
        check_derived(corpus, reporter, cluster, group);
      } else if (parameter->second.is_known()) {
        check_declared(corpus, reporter, cluster, group, parameter->second);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::ray_gpu_count

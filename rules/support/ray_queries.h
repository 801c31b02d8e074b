#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/model/ray/ray_cluster.h"

namespace gpulint::rules {

/// Every Ray cluster of the scope, those inside RayJobs and RayServices included.
[[nodiscard]] std::vector<RayCluster> all_ray_clusters(const Corpus& corpus);

/// Whether a container of the cluster asks for accelerators.
[[nodiscard]] bool has_accelerators(const RayCluster& cluster);

/// Accelerators that Ray itself detects on the node, under resources other than GPU: TPU,
/// neuron_cores, HPU, NPU, RBLN (docs.ray.io, «Accelerator Support», Ray 2.46).
[[nodiscard]] bool is_no_gpu_to_ray(std::string_view resource);

/// The first limit of the group, by name, that counts GPUs: what KubeRay takes for one, or a
/// device, a replica or a MIG device by another name; not GPU memory, not other accelerators, not
/// 0. Null where there is none.
[[nodiscard]] const RayAccelerator* find_ray_gpu(const RayGroup& group);

/// Whether Ray's autoscaler runs beside the head. It reads the object by itself, each group's
/// `num-gpus` as an integer, else a limit whose name ends in `gpu`
/// (ray-project/ray 0219fc3ead0a, autoscaler/_private/kuberay/autoscaling_config.py).
[[nodiscard]] bool has_autoscaler(const RayCluster& cluster);
/// Whether it starts and stops pods of the group. Not of the head, nor of a group of fixed size,
/// nor (left open) of one with `resources` of its own.
[[nodiscard]] bool is_autoscaled(const RayCluster& cluster, const RayGroup& group);

/// `the API server` or `KubeRay`.
[[nodiscard]] std::string_view refuser(RayProblem::Stage stage);

/// What is refused: `minReplicas` is above `maxReplicas` …
[[nodiscard]] std::string describe(const RayProblem& problem);

/// Whether rules about amounts and values of any pod speak of the place.
[[nodiscard]] bool is_told_elsewhere(const RayProblem& problem);

/// A number as the options of `ray start` take it, an integer of Python; nullopt for other texts.
[[nodiscard]] std::optional<std::int64_t> parse_ray_count(std::string_view text);

}  // namespace gpulint::rules

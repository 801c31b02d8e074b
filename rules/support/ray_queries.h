#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/model/ray/ray_cluster.h"

namespace gpulint::rules {

/// Every Ray cluster of the scope, including those in RayJobs and RayServices.
[[nodiscard]] std::vector<RayCluster> all_ray_clusters(const Corpus& corpus);

/// Whether a container of the cluster requests accelerators.
[[nodiscard]] bool has_accelerators(const RayCluster& cluster);

/// Accelerators that Ray itself detects on the node, under resources other than GPU: TPU,
/// neuron_cores, HPU, NPU, RBLN (docs.ray.io, "Accelerator Support", Ray 2.46).
[[nodiscard]] bool is_no_gpu_to_ray(std::string_view resource);

/// The first limit of the group, by name, that counts GPUs: a name that KubeRay counts, or another
/// name of a device, a replica or a MIG device. Not GPU memory, other accelerators or 0. Null if
/// there is none.
[[nodiscard]] const RayAccelerator* find_ray_gpu(const RayGroup& group);

/// Whether Ray's autoscaler runs next to the head. It reads the object itself, each group's
/// `num-gpus` as an integer, else a limit whose name ends in `gpu`
/// (ray-project/ray 0219fc3ead0a, autoscaler/_private/kuberay/autoscaling_config.py).
[[nodiscard]] bool has_autoscaler(const RayCluster& cluster);
/// Whether it starts and stops pods of the group. Not those of the head or of a group of fixed
/// size; for a group with its own `resources` this is unknown, and false.
[[nodiscard]] bool is_autoscaled(const RayCluster& cluster, const RayGroup& group);

/// `the API server` or `KubeRay`.
[[nodiscard]] std::string_view refuser(RayProblem::Stage stage);

/// The problem as a clause: `minReplicas` is above `maxReplicas` …
[[nodiscard]] std::string describe(const RayProblem& problem);

/// Whether rules about amounts and values of any pod report the place.
[[nodiscard]] bool is_told_elsewhere(const RayProblem& problem);

/// A number as options of `ray start` accept it, a Python integer; nullopt for other texts.
[[nodiscard]] std::optional<std::int64_t> parse_ray_count(std::string_view text);

}  // namespace gpulint::rules

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/model/ray_cluster.h"

namespace gpulint::rules {

/// Every Ray cluster of the scope, those inside RayJobs and RayServices included.
[[nodiscard]] std::vector<RayCluster> all_ray_clusters(const Corpus& corpus);

/// Whether a container of the cluster asks for accelerators.
[[nodiscard]] bool has_accelerators(const RayCluster& cluster);

/// `the API server` or `KubeRay`.
[[nodiscard]] std::string_view refuser(RayProblem::Stage stage);

/// What is refused: `minReplicas` is above `maxReplicas` …
[[nodiscard]] std::string describe(const RayProblem& problem);

/// Whether rules about amounts and values of any pod speak of the place.
[[nodiscard]] bool is_told_elsewhere(const RayProblem& problem);

}  // namespace gpulint::rules

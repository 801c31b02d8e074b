#include "rules/support/ray_queries.h"

#include <utility>

#include "rules/support/queries.h"

namespace gpulint::rules {

std::vector<RayCluster> all_ray_clusters(const Corpus& corpus) {
  std::vector<RayCluster> clusters;
  for (const KubernetesObject& object : all_objects(corpus)) {
    if (auto cluster = read_ray_cluster(object)) clusters.push_back(std::move(*cluster));
  }
  return clusters;
}

}  // namespace gpulint::rules

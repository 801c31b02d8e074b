#include "rules/ray-demand-unmet/ray_demands.h"

#include <string_view>

namespace gpulint::rules::ray_demand_unmet {
namespace {

void add(Node amount, bool is_bundle, std::vector<Demand>& demands) {
  if (amount.is_scalar() && !amount.is_opaque()) demands.push_back({amount, is_bundle});
}

/// In a Serve configuration (docs.ray.io, «Serve Config Files», Ray 2.46): `ray_actor_options`
/// and bundles, `placement_group_bundles` of a deployment or `bundles` of
/// `placement_group_config`.
void find_in_serve_config(Node root, std::vector<Demand>& demands) {
  walk(root, [&](Node at) {
    const std::string_view key = at.key() ? at.key().text() : std::string_view{};
    if (key == "ray_actor_options") add(at.get("num_gpus"), false, demands);
    if (key != "placement_group_bundles" && key != "bundles") return;
    for (const Node bundle : at.items()) add(bundle.get("GPU"), true, demands);
  });
}

}  // namespace

std::vector<Demand> find_demands(const RayCluster& cluster, const EmbeddedIndex& embedded) {
  std::vector<Demand> demands;
  const Node spec = cluster.object.get("spec");
  add(spec.get("entrypointNumGpus"), false, demands);
  const Node serve = spec.get("serveConfigV2");
  const auto inner = serve ? embedded.find({serve.document(), serve.index()}) : embedded.end();
  if (inner != embedded.end()) find_in_serve_config(root(*inner->second), demands);
  return demands;
}

}  // namespace gpulint::rules::ray_demand_unmet

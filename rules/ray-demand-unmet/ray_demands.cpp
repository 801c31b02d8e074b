#include "rules/ray-demand-unmet/ray_demands.h"

#include <cstddef>
#include <string_view>

namespace gpulint::rules::ray_demand_unmet {
namespace {

using What = Demand::What;

void add(Node amount, What what, std::vector<Demand>& demands) {
  if (!amount.is_scalar() || amount.is_opaque()) return;
  demands.push_back({amount, std::string(amount.text()), what});
}

/// Flags by which scripts say what ScalingConfig and TorchTrainer call `resources_per_worker`
/// (docs.ray.io, «Configuring Scale and GPUs», Ray 2.46).
void find_in_command(Node entrypoint, std::vector<Demand>& demands) {
  if (!entrypoint.is_scalar()) return;
  const std::string_view text = entrypoint.text();
  for (const std::string_view flag : {"--gpus-per-worker", "--gpus_per_worker",
                                      "--num-gpus-per-worker", "--num_gpus_per_worker"}) {
    const std::size_t at = text.find(flag);
    if (at == text.npos || text.find(flag, at + 1) != text.npos) continue;
    const std::size_t begin = text.find_first_not_of("= \t\n", at + flag.size());
    if (begin == text.npos || begin == at + flag.size()) continue;
    const std::string_view amount = text.substr(begin, text.find_first_of(" \t\n", begin) - begin);
    const bool is_number = amount.find_first_not_of("0123456789") == amount.npos;
    if (is_number) demands.push_back({entrypoint, std::string(amount), What::flag});
  }
}

/// In a Serve configuration (docs.ray.io, «Serve Config Files», Ray 2.46): `ray_actor_options`
/// and bundles, `placement_group_bundles` of a deployment or `bundles` of
/// `placement_group_config`.
void find_in_serve_config(Node root, std::vector<Demand>& demands) {
  walk(root, [&](Node at) {
    const std::string_view key = at.key() ? at.key().text() : std::string_view{};
    if (key == "ray_actor_options") add(at.get("num_gpus"), What::task, demands);
    if (key != "placement_group_bundles" && key != "bundles") return;
    for (const Node bundle : at.items()) add(bundle.get("GPU"), What::bundle, demands);
  });
}

}  // namespace

std::vector<Demand> find_demands(const RayCluster& cluster, const EmbeddedIndex& embedded) {
  std::vector<Demand> demands;
  const Node spec = cluster.object.get("spec");
  add(spec.get("entrypointNumGpus"), What::task, demands);
  find_in_command(spec.get("entrypoint"), demands);
  const Node serve = spec.get("serveConfigV2");
  const auto inner = serve ? embedded.find({serve.document(), serve.index()}) : embedded.end();
  if (inner != embedded.end()) find_in_serve_config(root(*inner->second), demands);
  return demands;
}

}  // namespace gpulint::rules::ray_demand_unmet

#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/ir/node.h"
#include "compiler/model/quantity.h"
#include "compiler/model/ray/ray_cluster.h"
#include "compiler/model/read_pod.h"
#include "rules/support/queries.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules::ray_demand_unmet {
namespace {

/// GPUs that Ray needs on one Ray node: for a task or actor, or for a bundle of a placement group.
struct Demand {
  enum class What : std::uint8_t {
    task,    ///< Or an actor.
    bundle,  ///< Of a placement group.
    flag     ///< Of the entrypoint's command. Its meaning depends on the script.
  };
  Node node;           ///< Where the amount is.
  std::string amount;  ///< As written.
  What what = What::task;
  std::string_view flag = {};  ///< `--gpus-per-worker`; empty if `what` is not `flag`.
};

using What = Demand::What;

void add(Node amount, What what, std::vector<Demand>& demands) {
  if (!amount.is_scalar() || amount.is_opaque()) return;
  demands.push_back({amount, std::string(amount.text()), what});
}

/// Flags of scripts for `resources_per_worker` of ScalingConfig and TorchTrainer (docs.ray.io,
/// "Configuring Scale and GPUs", Ray 2.46).
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
    if (is_number) demands.push_back({entrypoint, std::string(amount), What::flag, flag});
  }
}

/// In a Serve configuration (docs.ray.io, "Serve Config Files", Ray 2.46): `ray_actor_options` and
/// bundles, `placement_group_bundles` of a deployment or `bundles` of `placement_group_config`.
void find_in_serve_config(Node root, std::vector<Demand>& demands) {
  walk(root, [&](Node at) {
    const std::string_view key = at.key() ? at.key().text() : std::string_view{};
    if (key == "ray_actor_options") add(at.get("num_gpus"), What::task, demands);
    if (key != "placement_group_bundles" && key != "bundles") return;
    for (const Node bundle : at.items()) add(bundle.get("GPU"), What::bundle, demands);
  });
}

/// The demands of a RayJob's entrypoint (also `--gpus-per-worker 4` in its command), and of a
/// RayService's Serve configuration.
[[nodiscard]] std::vector<Demand> find_demands(const RayCluster& cluster,
                                               const EmbeddedIndex& embedded) {
  std::vector<Demand> demands;
  const Node spec = cluster.object.get("spec");
  add(spec.get("entrypointNumGpus"), What::task, demands);
  find_in_command(spec.get("entrypoint"), demands);
  const Node serve = spec.get("serveConfigV2");
  const auto inner = serve ? embedded.find({serve.document(), serve.index()}) : embedded.end();
  if (inner != embedded.end()) find_in_serve_config(root(*inner->second), demands);
  return demands;
}

/// How many GPUs Ray sees in a pod of the group; nothing if unknown.
[[nodiscard]] std::optional<std::int64_t> gpus_of(const RayGroup& group) {
  const Container ray = read_container(group.container, ContainerKind::main);
  const bool is_open = ray.resources.opaque || !ray.resources.claims.empty() ||
                       !group.num_gpus.is_known() || group.resources_node;
  if (is_open) return std::nullopt;
  if (group.num_gpus.state == RayFlag::State::value) return parse_ray_count(group.num_gpus.value);
  if (!group.accelerators.empty()) return std::nullopt;  // Ray counts what it finds there
  return 0;
}

struct Largest {
  const RayGroup* group = nullptr;
  std::int64_t gpus = 0;
};

[[nodiscard]] std::optional<Largest> largest_group(const RayCluster& cluster) {
  Largest largest;
  for (const RayGroup& group : cluster.groups) {
    const auto gpus = gpus_of(group);
    if (!gpus) return std::nullopt;
    if (largest.group == nullptr || *gpus > largest.gpus) largest = {&group, *gpus};
  }
  return largest.group == nullptr ? std::nullopt : std::optional(largest);
}

[[nodiscard]] std::string describe(const RayGroup& group) {
  return group.is_head ? "the head" : fmt::format("group `{}`", group.name);
}

/// What requests the GPUs.
[[nodiscard]] std::string describe(const Demand& demand) {
  const bool is_entrypoint = demand.node.key() && demand.node.key().text() == "entrypointNumGpus";
  if (demand.what == What::bundle) return "a placement group bundle";
  if (demand.what == What::flag) return fmt::format("`{} {}`", demand.flag, demand.amount);
  return is_entrypoint ? "the entrypoint" : "an actor";
}

/// The same, where the finding has already said it.
[[nodiscard]] std::string describe_again(const Demand& demand) {
  if (demand.what == What::flag) return "a worker process";
  const std::string first = describe(demand);
  return first.starts_with("a") ? "the " + first.substr(first.find(' ') + 1) : first;
}

void check_demand(Reporter& reporter, const RayCluster& cluster, const Largest& largest,
                  const Demand& demand) {
  const auto amount = Quantity::parse(demand.amount);
  if (!amount || amount->is_zero() || amount->is_negative()) return;
  const bool is_bundle = demand.what == What::bundle;
  const bool is_flag = demand.what == What::flag;
  if (*amount > Quantity::of(largest.gpus)) {
    Finding finding = reporter.report(
        demand.node, "{} requests {} GPU{}{}, but no pod of the Ray cluster has {}",
        describe(demand), demand.amount, *amount > Quantity::of(1) ? "s" : "",
        is_flag ? " per worker" : "",
        largest.gpus == 0
            ? "a GPU"
            : "more than " + count_text(static_cast<std::size_t>(largest.gpus), "GPU"));
    const Node place = largest.gpus == 0 ? Node{} : largest.group->node;
    finding
        .related(place, fmt::format("{} has the most GPUs per pod: {}", describe(*largest.group),
                                    largest.gpus))
        .help(
            "request {}, or give each pod of a group more GPUs. Otherwise Ray cannot {} {}, "
            "because it needs all its GPUs in one pod",
            largest.gpus == 0
                ? "no GPUs"
                : "at most " + count_text(static_cast<std::size_t>(largest.gpus), "GPU"),
            is_bundle ? "reserve" : "start", describe_again(demand));
    if (is_flag) finding.severity(Severity::warning);
    return;
  }
  const bool is_scaled = std::ranges::any_of(
      cluster.groups, [&](const RayGroup& group) { return is_autoscaled(cluster, group); });
  if (!is_bundle || amount->is_whole() || !is_scaled) return;
  reporter
      .report(
          demand.node,
          "a placement group bundle requests {} GPUs, but Ray's autoscaler may reject a fraction "
          "of a GPU",
          demand.amount)
      .related(cluster.spec.get("enableInTreeAutoscaling"), "the autoscaler is enabled here")
      .help(
          "request whole GPUs, or give the worker group a fixed size. Otherwise the autoscaler may "
          "fail with `0.4 is not of type 'integer'` (ray-project/kuberay#4447)")
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const EmbeddedIndex embedded = index_embedded(corpus);
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    const std::vector<Demand> demands = find_demands(cluster, embedded);
    if (demands.empty()) continue;
    const auto largest = largest_group(cluster);
    if (!largest) continue;
    for (const Demand& demand : demands) check_demand(reporter, cluster, *largest, demand);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::ray_demand_unmet

#include "compiler/generate/solve.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "compiler/generate/advise.h"
#include "compiler/generate/choose_tolerations.h"
#include "compiler/generate/find_open.h"
#include "compiler/generate/ground.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint::generate {
namespace {

[[nodiscard]] int total_rank(const std::vector<Service>& services) {
  int total = 0;
  for (const Service& service : services) total += service.rank();
  return total;
}

[[nodiscard]] bool serves_as_well(const std::vector<Service>& services,
                                  const std::vector<Service>& before) {
  for (std::size_t task = 0; task < services.size(); ++task) {
    if (services[task].rank() < before[task].rank()) return false;
  }
  return true;
}

/// The best choice of labels with the tolerations that it takes; the first of equals.
[[nodiscard]] Block best_choice(const Ground& ground) {
  Block best;
  std::tuple<int, std::size_t> best_score{-1, 0};
  for (std::size_t i = 0; i < ground.size(); ++i) {
    Block block = ground.choice(i);
    block.tolerations = choose_tolerations(ground, ground.trial(i));
    const int rank = total_rank(ground.serve(block));
    const bool is_better =
        rank > std::get<0>(best_score) ||
        (rank == std::get<0>(best_score) && line_count(block) < std::get<1>(best_score));
    if (!is_better) continue;
    best_score = {rank, line_count(block)};
    best = std::move(block);
  }
  return best;
}

/// Whether every taint of the cluster that it tolerates is one of those that `others` tolerate.
[[nodiscard]] bool tolerates_no_more(const ResourceToleration& wide,
                                     const std::vector<ResourceToleration>& others,
                                     const Cluster& cluster) {
  const auto matches = [](const ResourceToleration& toleration, const Taint& taint) {
    return tolerates(to_toleration(toleration), taint) != Ternary::no;
  };
  for (const NodePool& pool : cluster.pools) {
    for (const auto* const taints : {&pool.taints, &pool.provider_taints}) {
      for (const Taint& taint : *taints) {
        if (is_hard(taint) == Ternary::no || !matches(wide, taint)) continue;
        const bool is_meant = std::ranges::any_of(
            others, [&](const ResourceToleration& other) { return matches(other, taint); });
        if (!is_meant) return false;
      }
    }
  }
  return true;
}

/// Several tolerations of one key become one, where that admits to no further nodes.
void merge_by_key(const Cluster& cluster, std::vector<ResourceToleration>& tolerations) {
  for (std::size_t begin = 0; begin < tolerations.size(); ++begin) {
    const ResourceToleration first = tolerations[begin];
    const auto belongs = [&](const ResourceToleration& other) {
      return other.resource == first.resource && other.key == first.key;
    };
    std::vector<ResourceToleration> group;
    std::ranges::copy_if(tolerations, std::back_inserter(group), belongs);
    if (group.size() < 2) continue;
    const auto all_equal = [&](auto member) {
      return std::ranges::all_of(group,
                                 [&](const auto& other) { return other.*member == first.*member; });
    };
    ResourceToleration wide = first;
    if (!all_equal(&ResourceToleration::value) || !all_equal(&ResourceToleration::op)) {
      wide.op = "Exists";
      wide.value.clear();
    }
    if (!all_equal(&ResourceToleration::effect)) wide.effect.clear();
    if (!tolerates_no_more(wide, group, cluster)) continue;
    std::erase_if(tolerations, belongs);
    tolerations.push_back(wide);
    std::ranges::sort(tolerations);
    begin = static_cast<std::size_t>(-1);  // from the start; each round makes the list shorter
  }
}

/// A toleration for whole GPUs alone, keyed by the partition label, has a setting of its own.
void use_unpartitioned_toleration(const Ground& ground, Block& block) {
  const flyte::K8sPluginConfig& k8s = ground.problem().config->k8s;
  if (k8s.gpu_unpartitioned_toleration) return;
  const std::string label = block.partition_label.empty()
                                ? k8s.gpu_partition_size_node_label.value_or("")
                                : block.partition_label;
  const std::vector<Service> before = ground.serve(block);
  for (std::size_t i = 0; i < block.tolerations.size(); ++i) {
    if (block.tolerations[i].key != label) continue;
    Block other = block;
    other.unpartitioned_toleration = other.tolerations[i];
    other.unpartitioned_toleration->resource.clear();
    other.tolerations.erase(other.tolerations.begin() + static_cast<std::ptrdiff_t>(i));
    if (!serves_as_well(ground.serve(other), before)) continue;
    block = std::move(other);
    return;
  }
}

/// Every way to leave one line out.
[[nodiscard]] std::vector<Block> without_one_line(const Block& block) {
  std::vector<Block> shorter;
  const auto add = [&](bool is_set, const std::function<void(Block&)>& remove) {
    if (!is_set) return;
    shorter.push_back(block);
    remove(shorter.back());
  };
  for (std::size_t i = 0; i < block.tolerations.size(); ++i) {
    add(true, [&](Block& b) {
      b.tolerations.erase(b.tolerations.begin() + static_cast<std::ptrdiff_t>(i));
    });
  }
  add(block.unpartitioned_toleration.has_value(),
      [](Block& b) { b.unpartitioned_toleration.reset(); });
  add(block.unpartitioned_requirement.has_value(),
      [](Block& b) { b.unpartitioned_requirement.reset(); });
  add(!block.partition_label.empty(), [](Block& b) { b.partition_label.clear(); });
  add(!block.device_label.empty(), [](Block& b) { b.device_label.clear(); });
  add(!block.gpu_resource_name.empty(), [](Block& b) { b.gpu_resource_name.clear(); });
  return shorter;
}

/// Leaves lines out as long as no task is served worse.
void prune(const Ground& ground, Block& block) {
  const std::vector<Service> before = ground.serve(block);
  for (bool is_shorter = true; is_shorter;) {
    is_shorter = false;
    for (Block& shorter : without_one_line(block)) {
      if (!serves_as_well(ground.serve(shorter), before)) continue;
      block = std::move(shorter);
      is_shorter = true;
      break;
    }
  }
}

/// Finds out who needs each line.
class Explainer {
 public:
  Explainer(const Ground& ground, Solution& solution)
      : ground_(ground),
        solution_(solution),
        trial_(ground.problem(), ground.demands(), solution.block) {}

  void explain() {
    const Block& block = solution_.block;
    if (!block.device_label.empty()) {
      solution_.device_label =
          reason([](Block& b) { b.device_label.clear(); }, carries(block.device_label));
    }
    if (!block.partition_label.empty()) {
      solution_.partition_label =
          reason([](Block& b) { b.partition_label.clear(); }, carries(block.partition_label));
    }
    if (!block.gpu_resource_name.empty()) {
      solution_.gpu_resource_name = reason([](Block& b) { b.gpu_resource_name.clear(); },
                                           [](const NodePool&) { return true; });
    }
    if (block.unpartitioned_requirement) {
      solution_.unpartitioned_requirement =
          reason([](Block& b) { b.unpartitioned_requirement.reset(); },
                 [](const NodePool&) { return true; });
    }
    if (block.unpartitioned_toleration) {
      solution_.unpartitioned_toleration =
          reason([](Block& b) { b.unpartitioned_toleration.reset(); },
                 is_tainted_for(*block.unpartitioned_toleration));
    }
    for (std::size_t i = 0; i < block.tolerations.size(); ++i) {
      solution_.tolerations.push_back(reason(
          [&](Block& b) {
            b.tolerations.erase(b.tolerations.begin() + static_cast<std::ptrdiff_t>(i));
          },
          is_tainted_for(block.tolerations[i])));
    }
  }

 private:
  using PoolFilter = std::function<bool(const NodePool&)>;

  [[nodiscard]] static PoolFilter carries(const std::string& key) {
    return [&key](const NodePool& pool) { return !listed_values(pool, key).empty(); };
  }
  [[nodiscard]] static PoolFilter is_tainted_for(const ResourceToleration& toleration) {
    return [&toleration](const NodePool& pool) {
      const auto matches = [&](const Taint& taint) {
        return is_hard(taint) != Ternary::no &&
               tolerates(to_toleration(toleration), taint) == Ternary::yes;
      };
      return std::ranges::any_of(pool.taints, matches) ||
             std::ranges::any_of(pool.provider_taints, matches);
    };
  }

  [[nodiscard]] LineReason reason(const std::function<void(Block&)>& remove,
                                  const PoolFilter& filter) const {
    Block without = solution_.block;
    remove(without);
    const std::vector<Service> now = ground_.serve(solution_.block);
    const std::vector<Service> then = ground_.serve(without);
    LineReason result;
    std::set<std::size_t> pools;
    std::set<std::size_t> avoided;
    for (std::size_t task = 0; task < now.size(); ++task) {
      if (then[task].rank() >= now[task].rank()) continue;
      result.tasks.push_back(ground_.demands()[task].task->name);
      for (std::size_t c = 0; c < ground_.classes().size(); ++c) {
        if (ground_.fits(trial_, task, c) == Ternary::no) continue;
        if (!filter(ground_.pool(c))) continue;
        pools.insert(ground_.classes()[c].pools.begin(), ground_.classes()[c].pools.end());
      }
    }
    // Nodes that the tasks must keep away from demand the line, where none that take them do.
    for (std::size_t c = 0; pools.empty() && c < ground_.classes().size(); ++c) {
      if (!filter(ground_.pool(c))) continue;
      avoided.insert(ground_.classes()[c].pools.begin(), ground_.classes()[c].pools.end());
    }
    if (pools.empty()) pools = std::move(avoided);
    for (const std::size_t pool : pools) {
      result.pools.push_back(&ground_.problem().cluster->pools[pool]);
    }
    return result;
  }

  const Ground& ground_;
  Solution& solution_;
  Trial trial_;
};

}  // namespace

Solution solve(const Problem& problem) {
  const Ground ground(problem);
  Solution solution;
  solution.block = best_choice(ground);
  merge_by_key(*problem.cluster, solution.block.tolerations);
  use_unpartitioned_toleration(ground, solution.block);
  prune(ground, solution.block);
  // A task that has no place anyway shall not be told that it asks for more than the platform
  // allows, nor have its way with that.
  solution.unsolved = advise(ground, solution.block);
  solution.open = find_open(ground, solution.block);
  const std::vector<Service> services = ground.serve(solution.block);
  solution.block.limits =
      ground.limits_for([&](std::size_t task) { return services[task].fit != Service::Fit::none; });
  Explainer(ground, solution).explain();
  return solution;
}

}  // namespace gpulint::generate

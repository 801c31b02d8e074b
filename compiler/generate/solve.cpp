#include "compiler/generate/solve.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler/generate/advise.h"
#include "compiler/generate/prepared_problem.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint::generate {
namespace {

/// After this many steps the best answer so far is used: it still has no needless line.
constexpr std::size_t max_steps = 20'000;

using Ids = std::vector<std::size_t>;  // sorted

/// One way to place a task on some nodes.
struct Way {
  Ids tolerations;
  Service::Fit fit = Service::Fit::none;
};

[[nodiscard]] std::optional<ResourceToleration> toleration_of(const Taint& taint,
                                                              const std::string& resource) {
  const bool is_readable = taint.key.is_known() && taint.effect.is_known() &&
                           !taint.value.is_opaque() && !taint.value.is_mistyped();
  if (!is_readable || resource.empty()) return std::nullopt;
  const std::string value = taint.value.value_or("");
  return ResourceToleration{resource, taint.key.value(), value.empty() ? "Exists" : "Equal", value,
                            taint.effect.value()};
}

/// The tolerations that the pod needs for the pool's nodes; nullopt if no toleration helps.
[[nodiscard]] std::optional<std::vector<ResourceToleration>> needed(const PreparedPod& pod,
                                                                    const NodePool& pool) {
  std::vector<ResourceToleration> result;
  const std::string resource = gpu_resource_of(pod);
  for (const auto* const taints : {&pool.taints, &pool.provider_taints}) {
    for (const Taint& taint : *taints) {
      if (is_hard(taint) == Ternary::no || tolerated(pod.tolerations, taint) == Ternary::yes) {
        continue;
      }
      auto toleration = toleration_of(taint, resource);
      if (!toleration) return std::nullopt;
      result.push_back(std::move(*toleration));
    }
  }
  return result;
}

/// How the pod would fit the nodes if it tolerated all their taints.
[[nodiscard]] Service::Fit fit_but_for_taints(const PreparedPod& pod, const NodeClass& nodes) {
  const Assessment assessment = assess(pod, nodes);
  Service::Fit fit = Service::Fit::certain;
  if (nodes.karpenter || !nodes.node.pool->error.empty()) fit = Service::Fit::likely;
  for (const Reason& reason : assessment.reasons) {
    if (reason.kind == ReasonKind::untolerated_taint) continue;
    if (reason.holds == Ternary::yes) return Service::Fit::none;
    fit = Service::Fit::likely;
  }
  return fit;
}

/// The smallest set of tolerations that contains some way for each task.
class Cover {
 public:
  explicit Cover(std::vector<std::vector<Ids>> tasks) : tasks_(std::move(tasks)) {
    std::ranges::sort(tasks_, {}, [](const auto& ways) { return ways.size(); });
  }

  [[nodiscard]] std::set<std::size_t> find() {
    std::set<std::size_t> chosen;
    take_greedily(chosen);
    best_ = chosen;
    chosen.clear();
    search(0, chosen);
    return best_;
  }

 private:
  [[nodiscard]] static std::size_t cost(const Ids& way, const std::set<std::size_t>& chosen) {
    return static_cast<std::size_t>(
        std::ranges::count_if(way, [&](std::size_t id) { return !chosen.contains(id); }));
  }

  /// Takes the cheapest way for each task in turn.
  void take_greedily(std::set<std::size_t>& chosen) const {
    for (const auto& ways : tasks_) {
      const auto cheapest =
          std::ranges::min_element(ways, {}, [&](const Ids& way) { return cost(way, chosen); });
      chosen.insert(cheapest->begin(), cheapest->end());
    }
  }

  void search(std::size_t task, std::set<std::size_t>& chosen) {
    if (chosen.size() >= best_.size() || ++steps_ > max_steps) return;
    while (task < tasks_.size() && is_served(tasks_[task], chosen)) ++task;
    if (task == tasks_.size()) {
      best_ = chosen;
      return;
    }
    for (const Ids& way : tasks_[task]) {
      std::vector<std::size_t> added;
      for (const std::size_t id : way) {
        if (chosen.insert(id).second) added.push_back(id);
      }
      search(task + 1, chosen);
      for (const std::size_t id : added) chosen.erase(id);
    }
  }

  [[nodiscard]] static bool is_served(const std::vector<Ids>& ways,
                                      const std::set<std::size_t>& chosen) {
    return std::ranges::any_of(ways, [&](const Ids& way) { return cost(way, chosen) == 0; });
  }

  std::vector<std::vector<Ids>> tasks_;
  std::set<std::size_t> best_;
  std::size_t steps_ = 0;
};

/// Ways that contain another way never lead to a smaller set.
[[nodiscard]] std::vector<Ids> without_supersets(std::vector<Ids> ways) {
  std::ranges::stable_sort(ways, {}, &Ids::size);
  std::vector<Ids> kept;
  for (const Ids& way : ways) {
    const bool holds_other = std::ranges::any_of(
        kept, [&](const Ids& other) { return std::ranges::includes(way, other); });
    if (!holds_other) kept.push_back(way);
  }
  return kept;
}

/// The fewest tolerations with which every task fits the best nodes that tolerations can open to
/// it, for one choice of labels. Sorted.
class Chooser {
 public:
  Chooser(const PreparedProblem& prepared, const Trial& trial)
      : prepared_(prepared), trial_(trial) {}

  [[nodiscard]] std::vector<ResourceToleration> choose() {
    std::set<std::vector<Ids>> distinct;
    for (std::size_t task = 0; task < prepared_.demands().size(); ++task) {
      std::vector<Ids> ways = ways_of(task);
      if (!ways.empty()) distinct.insert(std::move(ways));
    }
    std::vector<ResourceToleration> chosen;
    for (const std::size_t id : Cover({distinct.begin(), distinct.end()}).find()) {
      chosen.push_back(known_[id]);
    }
    std::ranges::sort(chosen);
    return chosen;
  }

 private:
  /// Only the best ways; empty if no toleration helps.
  [[nodiscard]] std::vector<Ids> ways_of(std::size_t task) {
    if (!trial_.pod(task).error.empty()) return {};
    const PreparedPod& pod = trial_.prepared(task);
    std::vector<Way> ways;
    Service::Fit best = Service::Fit::open;
    for (std::size_t c = 0; c < prepared_.classes().size(); ++c) {
      if (prepared_.is_meant(task, c) == Ternary::no) continue;
      if (prepared_.lacks_gpus(pod, c)) continue;
      const Service::Fit fit = fit_but_for_taints(pod, prepared_.classes()[c]);
      if (fit < best) continue;
      const auto tolerations = needed(pod, prepared_.pool(c));
      if (!tolerations) continue;
      best = fit;
      ways.push_back({ids_of(*tolerations), fit});
    }
    std::vector<Ids> result;
    for (Way& way : ways) {
      if (way.fit == best) result.push_back(std::move(way.tolerations));
    }
    return without_supersets(std::move(result));
  }

  [[nodiscard]] Ids ids_of(const std::vector<ResourceToleration>& tolerations) {
    std::set<std::size_t> ids;
    for (const ResourceToleration& toleration : tolerations) {
      const auto [at, is_new] = ids_.try_emplace(toleration, known_.size());
      if (is_new) known_.push_back(toleration);
      ids.insert(at->second);
    }
    return {ids.begin(), ids.end()};
  }

  const PreparedProblem& prepared_;
  const Trial& trial_;
  std::map<ResourceToleration, std::size_t> ids_;
  std::vector<ResourceToleration> known_;
};

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

/// The best choice of labels with its tolerations; the first of equals.
[[nodiscard]] Block best_choice(const PreparedProblem& prepared) {
  Block best;
  std::tuple<int, std::size_t> best_score{-1, 0};
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    Block block = prepared.choice(i);
    block.tolerations = Chooser(prepared, prepared.trial(i)).choose();
    const int rank = total_rank(prepared.serve(block));
    const bool is_better =
        rank > std::get<0>(best_score) ||
        (rank == std::get<0>(best_score) && line_count(block) < std::get<1>(best_score));
    if (!is_better) continue;
    best_score = {rank, line_count(block)};
    best = std::move(block);
  }
  return best;
}

/// Whether every taint of the cluster that `wide` tolerates is also tolerated by `others`.
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

/// Merges tolerations with the same key, if that admits to no further nodes.
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
    begin = static_cast<std::size_t>(-1);  // from the start; each round shortens the list
  }
}

/// A toleration for whole GPUs only, with the partition label as its key, has its own setting.
void use_unpartitioned_toleration(const PreparedProblem& prepared, Block& block) {
  const flyte::K8sPluginConfig& k8s = prepared.problem().config->k8s;
  if (k8s.gpu_unpartitioned_toleration) return;
  const std::string label = block.partition_label.empty()
                                ? k8s.gpu_partition_size_node_label.value_or("")
                                : block.partition_label;
  const std::vector<Service> before = prepared.serve(block);
  for (std::size_t i = 0; i < block.tolerations.size(); ++i) {
    if (block.tolerations[i].key != label) continue;
    Block other = block;
    other.unpartitioned_toleration = other.tolerations[i];
    other.unpartitioned_toleration->resource.clear();
    other.tolerations.erase(other.tolerations.begin() + static_cast<std::ptrdiff_t>(i));
    if (!serves_as_well(prepared.serve(other), before)) continue;
    block = std::move(other);
    return;
  }
}

using PoolFilter = std::function<bool(const NodePool&)>;

[[nodiscard]] PoolFilter carries(const std::string& key) {
  return [key](const NodePool& pool) { return !listed_values(pool, key).empty(); };
}

[[nodiscard]] PoolFilter is_tainted_for(const ResourceToleration& toleration) {
  const auto matches = [toleration = to_toleration(toleration)](const Taint& taint) {
    return is_hard(taint) != Ternary::no && tolerates(toleration, taint) == Ternary::yes;
  };
  return [matches](const NodePool& pool) {
    return std::ranges::any_of(pool.taints, matches) ||
           std::ranges::any_of(pool.provider_taints, matches);
  };
}

/// A line that can be left out.
struct Line {
  std::function<void(Block&)> remove;
  PoolFilter is_for;
  LineReason Solution::* reason = nullptr;  ///< Null: the next of Solution::tolerations.
};

[[nodiscard]] std::vector<Line> lines_of(const Block& block) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < block.tolerations.size(); ++i) {
    lines.push_back({[i](Block& b) {
                       b.tolerations.erase(b.tolerations.begin() + static_cast<std::ptrdiff_t>(i));
                     },
                     is_tainted_for(block.tolerations[i])});
  }
  const auto add = [&](auto field, LineReason Solution::* reason, PoolFilter is_for) {
    const std::remove_cvref_t<decltype(block.*field)> none;
    if (block.*field == none) return;
    lines.push_back({[=](Block& b) { b.*field = none; }, std::move(is_for), reason});
  };
  const auto any = [](const NodePool&) { return true; };
  add(&Block::unpartitioned_toleration, &Solution::unpartitioned_toleration,
      is_tainted_for(block.unpartitioned_toleration.value_or(ResourceToleration{})));
  add(&Block::unpartitioned_requirement, &Solution::unpartitioned_requirement, any);
  add(&Block::partition_label, &Solution::partition_label, carries(block.partition_label));
  add(&Block::device_label, &Solution::device_label, carries(block.device_label));
  add(&Block::gpu_resource_name, &Solution::gpu_resource_name, any);
  return lines;
}

/// Leaves out lines as long as no task is served worse.
void prune(const PreparedProblem& prepared, Block& block) {
  const std::vector<Service> before = prepared.serve(block);
  const auto is_needless = [&](const Line& line) {
    Block shorter = block;
    line.remove(shorter);
    return serves_as_well(prepared.serve(shorter), before);
  };
  for (bool is_shorter = true; is_shorter;) {
    const std::vector<Line> lines = lines_of(block);
    const auto needless = std::ranges::find_if(lines, is_needless);
    is_shorter = needless != lines.end();
    if (is_shorter) needless->remove(block);
  }
}

/// The tasks that would be served worse without a line, and the nodes that it is for.
[[nodiscard]] LineReason reason_of(const Line& line, const PreparedProblem& prepared,
                                   const Block& block, const Trial& trial) {
  Block without = block;
  line.remove(without);
  const std::vector<Service> now = prepared.serve(trial);
  const std::vector<Service> then = prepared.serve(without);
  LineReason result;
  std::set<std::size_t> pools;
  const auto add_if = [&](const auto& is_meant) {
    for (std::size_t c = 0; c < prepared.classes().size(); ++c) {
      if (!is_meant(c) || !line.is_for(prepared.pool(c))) continue;
      pools.insert(prepared.classes()[c].pools.begin(), prepared.classes()[c].pools.end());
    }
  };
  for (std::size_t task = 0; task < now.size(); ++task) {
    if (then[task].rank() >= now[task].rank()) continue;
    result.tasks.push_back(prepared.demands()[task].task->name);
    add_if([&](std::size_t c) { return prepared.fits(trial, task, c) != Ternary::no; });
  }
  // the line may be for nodes that the tasks must avoid
  if (pools.empty()) add_if([](std::size_t) { return true; });
  for (const std::size_t pool : pools) {
    result.pools.push_back(&prepared.problem().cluster->pools[pool]);
  }
  return result;
}

void explain(const PreparedProblem& prepared, Solution& solution) {
  const Trial trial(prepared.problem(), prepared.demands(), solution.block);
  for (const Line& line : lines_of(solution.block)) {
    LineReason reason = reason_of(line, prepared, solution.block, trial);
    if (line.reason == nullptr) {
      solution.tolerations.push_back(std::move(reason));
    } else {
      solution.*line.reason = std::move(reason);
    }
  }
}

}  // namespace

Solution solve(const Problem& problem) {
  const PreparedProblem prepared(problem);
  Solution solution;
  solution.block = best_choice(prepared);
  merge_by_key(*problem.cluster, solution.block.tolerations);
  use_unpartitioned_toleration(prepared, solution.block);
  prune(prepared, solution.block);
  // a task without a node must neither raise the platform's limits nor be reported for them
  const Trial trial(problem, prepared.demands(), solution.block);
  const std::vector<Service> services = prepared.serve(trial);
  solution.unsolved = advise(prepared, trial, services);
  solution.open = find_open(prepared, trial, services);
  solution.block.limits = prepared.limits_for(
      [&](std::size_t task) { return services[task].fit != Service::Fit::none; });
  explain(prepared, solution);
  return solution;
}

}  // namespace gpulint::generate

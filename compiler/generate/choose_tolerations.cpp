#include "compiler/generate/choose_tolerations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/schedule/tolerate.h"

namespace gpulint::generate {
namespace {

/// Beyond as many steps the best answer so far is taken: still one without a needless line.
constexpr std::size_t max_steps = 20'000;

using Ids = std::vector<std::size_t>;  // sorted

/// One way for a task to get onto some nodes.
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

/// What the pod would have to tolerate for the pool's nodes; nullopt where a toleration cannot
/// help.
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

/// The smallest set of tolerations that holds some way of each task.
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

  /// Each task in turn its cheapest way.
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

/// Ways that hold another one never lead to a smaller set.
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

class Chooser {
 public:
  Chooser(const Ground& ground, const Trial& trial) : ground_(ground), trial_(trial) {}

  [[nodiscard]] std::vector<ResourceToleration> choose() {
    std::set<std::vector<Ids>> distinct;
    for (std::size_t task = 0; task < ground_.demands().size(); ++task) {
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
  /// Of the best ways only; none where no toleration helps.
  [[nodiscard]] std::vector<Ids> ways_of(std::size_t task) {
    if (!trial_.pod(task).error.empty()) return {};
    const PreparedPod& pod = trial_.prepared(task);
    std::vector<Way> ways;
    Service::Fit best = Service::Fit::open;
    for (std::size_t c = 0; c < ground_.classes().size(); ++c) {
      if (ground_.is_meant(task, c) == Ternary::no) continue;
      if (ground_.lacks_gpus(pod, c)) continue;
      const Service::Fit fit = fit_but_for_taints(pod, ground_.classes()[c]);
      if (fit < best) continue;
      const auto tolerations = needed(pod, ground_.pool(c));
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

  const Ground& ground_;
  const Trial& trial_;
  std::map<ResourceToleration, std::size_t> ids_;
  std::vector<ResourceToleration> known_;
};

}  // namespace

std::vector<ResourceToleration> choose_tolerations(const Ground& ground, const Trial& trial) {
  return Chooser(ground, trial).choose();
}

}  // namespace gpulint::generate

#include "compiler/generate/advise.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/generate/label_advice.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint::generate {
namespace {

constexpr std::size_t shown_names = 4;

[[nodiscard]] std::string list(const std::set<std::string>& names) {
  const std::vector<std::string> first(
      names.begin(),
      std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), shown_names))));
  const std::string text = fmt::format("`{}`", fmt::join(first, "`, `"));
  return names.size() <= shown_names
             ? text
             : fmt::format("{} and {} more", text, names.size() - shown_names);
}

/// node `gpu-a`, pool `a100`.
[[nodiscard]] std::string describe(const NodePool& pool) {
  const std::string_view noun = pool.source == NodePool::Source::node ? "node" : "pool";
  return pool.name.empty() ? fmt::format("a {}", noun) : fmt::format("{} `{}`", noun, pool.name);
}

/// Why one task is not served.
class Adviser {
 public:
  Adviser(const PreparedProblem& prepared, const Trial& trial, std::size_t task)
      : prepared_(prepared),
        trial_(trial),
        task_(task),
        demand_(prepared.demands()[task]),
        settings_(flyte::accelerator_settings(trial.config(), demand_.accelerator)) {
    for (std::size_t c = 0; c < prepared.classes().size(); ++c) all_.push_back(c);
  }

  [[nodiscard]] Unsolved advise() const {
    if (!trial_.pod(task_).error.empty()) {
      return unsolved(fmt::format("Flyte rejects it: {}", trial_.pod(task_).error), "");
    }
    const std::vector<std::size_t> offering =
        keep(all_, [&](std::size_t c) { return offers_resource(c); });
    if (offering.empty()) return nothing_offered();
    const auto may_have_device = [&](std::size_t c) {
      return has_device(prepared_.pool(c), demand_, prepared_.keys()) != Ternary::no;
    };
    const std::vector<std::size_t> devices = keep(offering, may_have_device);
    if (devices.empty()) {
      const std::vector<std::size_t> elsewhere = keep(all_, [&](std::size_t c) {
        return has_device(prepared_.pool(c), demand_, prepared_.keys()) == Ternary::yes;
      });
      return elsewhere.empty() ? no_device(offering) : not_offered_by(elsewhere.front());
    }
    const std::vector<std::size_t> meant =
        keep(devices, [&](std::size_t c) { return prepared_.is_meant(task_, c) != Ternary::no; });
    if (meant.empty()) return no_partition(devices);
    if (auto answer = too_much(meant)) return std::move(*answer);
    if (auto answer = other_label(meant)) return std::move(*answer);
    return other_reasons(meant);
  }

  /// It runs, but also on nodes that it does not mean.
  [[nodiscard]] Unsolved misplaced() const {
    std::set<std::string> pools;
    for (const std::size_t c : all_) {
      const bool fits_here = prepared_.fits(trial_, task_, c) == Ternary::yes;
      if (fits_here && prepared_.is_meant(task_, c) == Ternary::no) {
        pools.insert(describe(prepared_.pool(c)));
      }
    }
    return unsolved(fmt::format("it also fits {}, which {} not what it requests",
                                fmt::join(pools, ", "), pools.size() == 1 ? "is" : "are"),
                    "label these nodes with the keys that the configuration uses, or taint them");
  }

 private:
  [[nodiscard]] Unsolved unsolved(std::string message, std::string advice) const {
    return {demand_.task->name, std::move(message), std::move(advice)};
  }

  template <class Predicate>
  [[nodiscard]] static std::vector<std::size_t> keep(const std::vector<std::size_t>& classes,
                                                     Predicate predicate) {
    std::vector<std::size_t> kept;
    std::ranges::copy_if(classes, std::back_inserter(kept), predicate);
    return kept;
  }

  [[nodiscard]] std::string resource() const { return gpu_resource_of(trial_.prepared(task_)); }

  /// How much a node of the class offers; nullopt if unknown.
  [[nodiscard]] std::optional<std::int64_t> offered(std::size_t c) const {
    const NodeClass& nodes = prepared_.classes()[c];
    const NodeResource* const offer = nodes.node.find_resource(resource());
    if (offer != nullptr) return offer->is_open ? std::nullopt : std::optional(offer->amount);
    const bool is_complete = !nodes.karpenter && nodes.node.pool->resources_complete;
    return is_complete ? std::optional<std::int64_t>(0) : std::nullopt;
  }

  [[nodiscard]] bool offers_resource(std::size_t c) const {
    if (prepared_.lacks_gpus(trial_.prepared(task_), c)) return false;
    const NodeClass& nodes = prepared_.classes()[c];
    const NodeResource* const offer = nodes.node.find_resource(resource());
    if (offer == nullptr) return nodes.karpenter || !nodes.node.pool->resources_complete;
    return offer->amount > 0 || offer->is_open;
  }

  [[nodiscard]] Unsolved nothing_offered() const {
    if (resource().empty()) {
      return unsolved("it requests no GPU, and no node accepts it",
                      "add a node that accepts pods without GPUs");
    }
    std::set<std::string> names;
    for (const NodePool& pool : prepared_.problem().cluster->pools) {
      const std::set<std::string> more = offered_gpus(pool);
      names.insert(more.begin(), more.end());
    }
    if (names.empty() && is_any_gpu_machine()) {
      return unsolved(fmt::format("no node offers `{}`", resource()),
                      "run a device plugin on the GPU nodes");
    }
    return unsolved(
        fmt::format("no node offers `{}`", resource()),
        names.empty() ? "add nodes with GPUs and run their device plugin" : instead_of(names));
  }

  /// The GPU resources that nodes of the pool offer.
  [[nodiscard]] static std::set<std::string> offered_gpus(const NodePool& pool) {
    std::set<std::string> names;
    for (const ResourceEntry& entry : pool.allocatable) {
      const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
      if (!is_none && is_gpu_resource(entry.name.value)) names.insert(entry.name.value);
    }
    return names;
  }

  [[nodiscard]] bool is_any_gpu_machine() const {
    return std::ranges::any_of(
        all_, [&](std::size_t c) { return has_accelerators(prepared_.pool(c)) == Ternary::yes; });
  }

  [[nodiscard]] static std::string instead_of(const std::set<std::string>& names) {
    const bool are_partitions = std::ranges::all_of(names, [](const std::string& name) {
      return classify_resource(name).kind == GpuResource::Kind::mig;
    });
    return fmt::format("the nodes offer {}: {}", list(names),
                       are_partitions
                           ? "run the device plugin with MIG strategy `single`, or request them in "
                             "the task's pod template"
                           : "change the device plugin's configuration or what the task requests");
  }

  /// The nodes with the device offer another resource.
  [[nodiscard]] Unsolved not_offered_by(std::size_t c) const {
    const std::set<std::string> names = offered_gpus(prepared_.pool(c));
    return unsolved(fmt::format("{} has the device `{}` but offers no `{}`",
                                describe(prepared_.pool(c)), demand_.device, resource()),
                    names.empty() ? "run a device plugin there" : instead_of(names));
  }

  [[nodiscard]] Unsolved no_device(const std::vector<std::size_t>& offering) const {
    const std::string key = settings_.device_label.value_or("");
    std::set<std::string> seen;
    for (const std::size_t c : offering) {
      for (const std::string& value : listed_values(prepared_.pool(c), key)) seen.insert(value);
    }
    const std::string carried =
        seen.empty() ? "" : fmt::format("; values of `{}`: {}", key, list(seen));
    return unsolved(
        fmt::format("no GPU node has a label for the device `{}`{}", demand_.device, carried),
        fmt::format("{}{} let the task request a device that the nodes have",
                    advise_label("the nodes that have it", key, demand_.device),
                    owner_of_label(key).empty() ? ", or" : ":"));
  }

  [[nodiscard]] Unsolved no_partition(const std::vector<std::size_t>& devices) const {
    const std::string key = settings_.partition_label.value_or("");
    const std::string of_device =
        demand_.device.empty() ? "" : fmt::format(" with the device `{}`", demand_.device);
    if (demand_.unpartitioned) {
      return unsolved(fmt::format("every node{} is partitioned", of_device),
                      "leave a node pool unpartitioned");
    }
    std::set<std::string> seen;
    for (const std::size_t c : devices) {
      for (const std::string& label : prepared_.keys().partition) {
        for (const std::string& value : listed_values(prepared_.pool(c), label)) seen.insert(value);
      }
    }
    const std::string carried =
        seen.empty() ? "" : fmt::format("; their labels have {}", list(seen));
    return unsolved(fmt::format("no node{} has a label for the partition size `{}`{}", of_device,
                                demand_.partition, carried),
                    fmt::format("partition some of the nodes to this size{}{}",
                                owner_of_label(key).empty() ? ", and " : "; ",
                                advise_label("them", key, demand_.partition)));
  }

  /// The nodes have the device or partition, but not in the label that the configuration names.
  [[nodiscard]] std::optional<Unsolved> other_label(const std::vector<std::size_t>& meant) const {
    const auto conflict = [&](const std::string& value, const Field<std::string>& label,
                              const std::vector<std::string>& keys,
                              std::string_view setting) -> std::optional<Unsolved> {
      const std::string key = label.value_or("");
      if (value.empty()) return std::nullopt;
      for (const std::size_t c : meant) {
        if (lists(prepared_.pool(c), key, value)) return std::nullopt;
      }
      for (const std::size_t c : meant) {
        for (const std::string& other : keys) {
          if (!lists(prepared_.pool(c), other, value)) continue;
          return unsolved(
              fmt::format("{} has `{}` in the label `{}`, but `{}` can name only one label",
                          describe(prepared_.pool(c)), value, other, setting),
              owner_of_label(key).empty()
                  ? fmt::format("also label those nodes `{}={}`", key, value)
                  : fmt::format("let all tasks request devices by `{}`", other));
        }
      }
      return std::nullopt;
    };
    auto answer = conflict(demand_.device, settings_.device_label, prepared_.keys().device,
                           "gpu-device-node-label");
    if (answer) return answer;
    return conflict(demand_.partition, settings_.partition_label, prepared_.keys().partition,
                    "gpu-partition-size-node-label");
  }

  [[nodiscard]] std::optional<Unsolved> too_much(const std::vector<std::size_t>& meant) const {
    const PodRequest* const request = trial_.prepared(task_).requests.find(resource());
    if (request == nullptr) return std::nullopt;
    std::int64_t most = 0;
    for (const std::size_t c : meant) {
      const auto amount = offered(c);
      if (!amount) return std::nullopt;
      most = std::max(most, *amount);
    }
    if (request->amount <= most) return std::nullopt;
    return unsolved(fmt::format("it requests {} `{}`, but the largest node that it can use has {}",
                                request->amount, resource(), most),
                    "add larger nodes, or let the task request fewer");
  }

  /// In the scheduler's words, for the nearest nodes.
  [[nodiscard]] Unsolved other_reasons(const std::vector<std::size_t>& meant) const {
    std::optional<Assessment> nearest;
    std::size_t at = meant.front();
    for (const std::size_t c : meant) {
      Assessment assessment = assess(trial_.prepared(task_), prepared_.classes()[c]);
      if (nearest && assessment.reasons.size() >= nearest->reasons.size()) continue;
      nearest = std::move(assessment);
      at = c;
    }
    std::vector<std::string> texts;
    for (const gpulint::Reason& reason : nearest->reasons) texts.push_back(scheduler_text(reason));
    return unsolved(
        fmt::format("it does not fit {}: {}", describe(prepared_.pool(at)), fmt::join(texts, ", ")),
        "");
  }

  const PreparedProblem& prepared_;
  const Trial& trial_;
  std::size_t task_;
  const Demand& demand_;
  flyte::AcceleratorSettings settings_;
  std::vector<std::size_t> all_;
};

/// What is unknown about one task and the nodes of one class.
class Doubts {
 public:
  Doubts(const PreparedProblem& prepared, const Trial& trial, std::size_t task,
         std::size_t node_class)
      : prepared_(prepared), class_(node_class) {
    const Demand& demand = prepared.demands()[task];
    const flyte::AcceleratorSettings settings =
        flyte::accelerator_settings(trial.config(), demand.accelerator);
    look_at_label(settings.device_label.value_or(""), demand.device);
    look_at_label(settings.partition_label.value_or(""), demand.partition);
    has_unstated_label_ = !texts_.empty();
    const Assessment assessment = assess(trial.prepared(task), prepared.classes()[node_class]);
    for (const Reason& reason : assessment.reasons) {
      look_at(reason);
    }
    if (prepared.classes()[node_class].karpenter) add("Karpenter has not chosen a machine yet");
    if (texts_.empty()) add("the declaration of the nodes does not say enough");
  }

  [[nodiscard]] bool has_unstated_label() const { return has_unstated_label_; }
  [[nodiscard]] std::string text() const {
    return fmt::format("unknown for {}: {}", describe(prepared_.pool(class_)),
                       fmt::join(texts_, ", "));
  }
  [[nodiscard]] const std::string& advice() const { return advice_; }

 private:
  void add(std::string text) {
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(std::move(text));
  }

  void look_at_label(const std::string& key, const std::string& value) {
    if (key.empty() || value.empty() || lists(prepared_.pool(class_), key, value)) return;
    add(fmt::format("no input shows that its nodes have the label `{}={}`", key, value));
    if (advice_.empty()) advice_ = advise_label("its nodes", key, value);
  }

  void look_at(const Reason& reason) {
    if (reason.holds != Ternary::unknown) return;
    switch (reason.kind) {
      case ReasonKind::insufficient_resource:
        return look_at_amount(reason);
      case ReasonKind::node_affinity:
      case ReasonKind::node_affinity_error:
      case ReasonKind::node_selector:
        if (!has_unstated_label_) add("its nodes may not have the labels that the pod requires");
        return;
      case ReasonKind::untolerated_taint:
        return add(fmt::format("its nodes may have the taint `{}`", reason.detail));
      case ReasonKind::unschedulable:
        return add("its nodes may be cordoned");
      case ReasonKind::unallocated_claims:
        return add("its nodes may lack the devices that the pod claims");
    }
  }

  void look_at_amount(const Reason& reason) {
    const auto most = most_of(prepared_.pool(class_), reason.detail);
    add(most && *most > 0
            ? fmt::format("its machines have {} `{}` unless they are partitioned or shared", *most,
                          reason.detail)
            : fmt::format("the number of `{}` per node is unknown", reason.detail));
  }

  const PreparedProblem& prepared_;
  std::size_t class_;
  std::vector<std::string> texts_;
  std::string advice_;
  bool has_unstated_label_ = false;
};

/// The class with the fewest unknowns; an unknown label counts most.
[[nodiscard]] std::optional<std::size_t> nearest_class(const PreparedProblem& prepared,
                                                       const Trial& trial, std::size_t task) {
  std::optional<std::size_t> best;
  std::tuple<bool, bool, std::size_t> least;
  for (std::size_t c = 0; c < prepared.classes().size(); ++c) {
    if (prepared.is_meant(task, c) == Ternary::no) continue;
    if (prepared.fits(trial, task, c) == Ternary::no) continue;
    const std::tuple<bool, bool, std::size_t> doubt{
        Doubts(prepared, trial, task, c).has_unstated_label(),
        has_accelerators(prepared.pool(c)) != Ternary::yes,
        assess(trial.prepared(task), prepared.classes()[c]).reasons.size()};
    if (best && doubt >= least) continue;
    best = c;
    least = doubt;
  }
  return best;
}

}  // namespace

std::vector<Unsolved> advise(const PreparedProblem& prepared, const Trial& trial,
                             const std::vector<Service>& services) {
  std::vector<Unsolved> unsolved;
  for (std::size_t task = 0; task < services.size(); ++task) {
    if (services[task].fit == Service::Fit::none) {
      unsolved.push_back(Adviser(prepared, trial, task).advise());
    } else if (services[task].is_misplaced) {
      unsolved.push_back(Adviser(prepared, trial, task).misplaced());
    }
  }
  return unsolved;
}

std::vector<OpenTask> find_open(const PreparedProblem& prepared, const Trial& trial,
                                const std::vector<Service>& services) {
  std::vector<OpenTask> open;
  for (std::size_t task = 0; task < services.size(); ++task) {
    const Service& service = services[task];
    const bool is_open = service.fit == Service::Fit::open || service.fit == Service::Fit::likely;
    if (!is_open || service.is_misplaced) continue;
    const auto nearest = nearest_class(prepared, trial, task);
    if (!nearest) continue;
    const Doubts doubts(prepared, trial, task, *nearest);
    open.push_back({prepared.demands()[task].task->name, doubts.text(), doubts.advice(),
                    service.fit == Service::Fit::likely});
  }
  return open;
}

}  // namespace gpulint::generate

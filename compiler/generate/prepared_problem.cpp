#include "compiler/generate/prepared_problem.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "compiler/flyte/accelerator.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint::generate {
namespace {

/// The values of a partition label that mean a whole GPU: `none`, `full` …
[[nodiscard]] std::vector<std::string> whole_values(const Cluster& cluster, std::string_view key,
                                                    const std::vector<Demand>& demands) {
  std::set<std::string> values;
  for (const NodePool& pool : cluster.pools) {
    for (const std::string& value : listed_values(pool, key)) {
      if (!is_partition_size(value, demands)) values.insert(value);
    }
  }
  return {values.begin(), values.end()};
}

/// GPU resources that nodes offer, for Flyte 2, where the name is a setting.
[[nodiscard]] std::vector<std::string> offered_gpu_resources(const Cluster& cluster) {
  std::set<std::string> names;
  for (const NodePool& pool : cluster.pools) {
    for (const ResourceEntry& entry : pool.allocatable) {
      const bool is_some = entry.amount.is_known() && !entry.amount.value().is_zero();
      if (is_some && is_gpu_resource(entry.name.value)) names.insert(entry.name.value);
    }
  }
  return {names.begin(), names.end()};
}

/// The present setting, then those that differ from it.
[[nodiscard]] std::vector<std::string> with_present(const std::vector<std::string>& keys,
                                                    const Field<std::string>& present) {
  std::vector<std::string> options{""};
  for (const std::string& key : keys) {
    if (!present.equals(key)) options.push_back(key);
  }
  return options;
}

[[nodiscard]] std::vector<std::string> resource_names(const Problem& problem) {
  std::vector<std::string> options{""};
  const Field<std::string>& present = problem.config->k8s.gpu_resource_name;
  if (problem.config->version != FlyteVersion::v2 || !present.is_known()) return options;
  const std::vector<std::string> offered = offered_gpu_resources(*problem.cluster);
  if (std::ranges::find(offered, present.value()) != offered.end()) return options;
  std::ranges::copy(offered, std::back_inserter(options));
  return options;
}

struct LimitName {
  std::string_view task;        ///< The task's name for it.
  std::string_view platform;    ///< The name in `task_resources`.
  std::string_view kubernetes;  ///< The name in PlatformResources.
};
constexpr std::array limit_names{
    LimitName{"gpu", "gpu", "nvidia.com/gpu"}, LimitName{"cpu", "cpu", "cpu"},
    LimitName{"memory", "memory", "memory"},
    LimitName{"ephemeral-storage", "ephemeralStorage", "ephemeral-storage"}};

/// Raises `limit` to the task's request for this resource, if that is more.
void raise(const flyte::Task& task, std::string_view name, Quantity& limit, PlatformLimit& out) {
  const auto look_at = [&](const std::vector<flyte::TaskResource>& list) {
    for (const flyte::TaskResource& entry : list) {
      if (entry.name.value != name || !entry.amount.is_known()) continue;
      const auto amount = Quantity::parse(entry.amount.value());
      if (!amount || *amount <= limit) continue;
      limit = *amount;
      out.amount = entry.amount.value();
      out.task = task.name;
    }
  };
  look_at(task.requests);
  look_at(task.limits);
  if (task.override_requests) look_at(*task.override_requests);
  if (task.override_limits) look_at(*task.override_limits);
}

}  // namespace

PreparedProblem::PreparedProblem(const Problem& problem) : problem_(problem) {
  for (const flyte::Task& task : problem.tasks) {
    demands_.push_back(demand_of(task, *problem.config));
  }
  keys_ = find_label_keys(*problem.cluster, demands_);
  limits_ = limits_for([](std::size_t) { return true; });
  add_choices();
  std::vector<const Workload*> workloads;
  for (const Block& choice : choices_) {
    trials_.emplace_back(problem_, demands_, choice);
    std::ranges::copy(trials_.back().workloads(), std::back_inserter(workloads));
  }
  placement_ =
      std::make_unique<Placement>(std::move(workloads), *problem.cluster, problem.admission);
  for (std::size_t c = 0; c < classes().size(); ++c) {
    accelerators_.push_back(has_accelerators(pool(c)));
  }
  for (const Demand& demand : demands_) {
    std::vector<Ternary>& row = meant_.emplace_back();
    for (std::size_t c = 0; c < classes().size(); ++c) {
      row.push_back(generate::is_meant(pool(c), demand, keys_, demands_));
    }
  }
}

const NodePool& PreparedProblem::pool(std::size_t node_class) const {
  return problem_.cluster->pools[classes()[node_class].pools.front()];
}

Ternary PreparedProblem::is_meant(std::size_t task, std::size_t node_class) const {
  return meant_[task][node_class];
}

bool PreparedProblem::lacks_gpus(const PreparedPod& pod, std::size_t node_class) const {
  const std::string resource = gpu_resource_of(pod);
  if (resource.empty()) return false;
  return accelerators_[node_class] == Ternary::no || most_of(pool(node_class), resource) == 0;
}

Ternary PreparedProblem::fits(const Trial& trial, std::size_t task, std::size_t node_class) const {
  const PreparedPod& pod = trial.prepared(task);
  if (lacks_gpus(pod, node_class)) return Ternary::no;
  const NodeClass& nodes = classes()[node_class];
  if (nodes.karpenter) return gpulint::fits(pod, nodes);
  // a rejected pool is solved as declared: its owner has to correct it
  const NodePool& pool = *nodes.node.pool;
  const bool is_refused = !pool.error.empty() || !pool.kubelet_error.empty();
  const Ternary answer = gpulint::fits(pod, nodes.node);
  return is_refused ? all_of(answer, Ternary::unknown) : answer;
}

std::vector<PlatformLimit> PreparedProblem::limits_for(const TaskFilter& counts) const {
  std::vector<PlatformLimit> limits;
  if (!problem_.platform->present) return limits;
  for (const LimitName& name : limit_names) {
    const flyte::Amount* const present = problem_.platform->by_name.limits.find(name.kubernetes);
    if (present == nullptr || present->opaque || present->quantity.is_zero()) continue;
    PlatformLimit limit{std::string(name.platform), "", ""};
    Quantity most = present->quantity;
    for (std::size_t i = 0; i < problem_.tasks.size(); ++i) {
      const flyte::Task& task = problem_.tasks[i];
      if (task.target != flyte::TaskTarget::container || !counts(i)) continue;
      raise(task, name.task, most, limit);
    }
    if (!limit.amount.empty()) limits.push_back(std::move(limit));
  }
  return limits;
}

void PreparedProblem::add_choices() {
  const flyte::K8sPluginConfig& k8s = problem_.config->k8s;
  const bool any_device =
      std::ranges::any_of(demands_, [](const Demand& d) { return !d.device.empty(); });
  const bool any_partition = std::ranges::any_of(
      demands_, [](const Demand& d) { return !d.partition.empty() || d.unpartitioned; });
  const auto devices = with_present(any_device ? keys_.device : std::vector<std::string>{},
                                    k8s.gpu_device_node_label);
  const auto partitions = with_present(any_partition ? keys_.partition : std::vector<std::string>{},
                                       k8s.gpu_partition_size_node_label);
  for (const std::string& resource : resource_names(problem_)) {
    for (const std::string& device : devices) {
      for (const std::string& partition : partitions) {
        Block block;
        block.gpu_resource_name = resource;
        block.device_label = device;
        block.partition_label = partition;
        block.limits = limits_;
        choices_.push_back(block);
        add_unpartitioned_choices(block);
      }
    }
  }
}

void PreparedProblem::add_unpartitioned_choices(const Block& block) {
  if (std::ranges::none_of(demands_, &Demand::unpartitioned)) return;
  const flyte::K8sPluginConfig& k8s = problem_.config->k8s;
  const std::string key = block.partition_label.empty()
                              ? k8s.gpu_partition_size_node_label.value_or("")
                              : block.partition_label;
  if (key.empty()) return;
  Block other = block;
  if (k8s.gpu_unpartitioned_requirement) {
    other.unpartitioned_requirement = UnpartitionedRequirement{key, {}};
    choices_.push_back(other);
  }
  std::vector<std::string> values = whole_values(*problem_.cluster, key, demands_);
  if (values.empty()) return;
  other.unpartitioned_requirement = UnpartitionedRequirement{key, std::move(values)};
  choices_.push_back(other);
}

Service PreparedProblem::serve(const Trial& trial, std::size_t task) const {
  Service service;
  if (!trial.pod(task).error.empty()) return service;
  const Demand& demand = demands_[task];
  const flyte::AcceleratorSettings settings =
      flyte::accelerator_settings(trial.config(), demand.accelerator);
  for (std::size_t c = 0; c < classes().size(); ++c) {
    const Ternary answer = fits(trial, task, c);
    if (answer == Ternary::no) continue;
    if (is_meant(task, c) == Ternary::no) {
      service.is_misplaced = service.is_misplaced || answer == Ternary::yes;
      continue;
    }
    const bool is_listed =
        (demand.device.empty() ||
         lists(pool(c), settings.device_label.value_or(""), demand.device)) &&
        (demand.partition.empty() ||
         lists(pool(c), settings.partition_label.value_or(""), demand.partition));
    const Service::Fit fit = answer == Ternary::yes ? Service::Fit::certain
                             : is_listed            ? Service::Fit::likely
                                                    : Service::Fit::open;
    service.fit = std::max(service.fit, fit);
  }
  return service;
}

std::vector<Service> PreparedProblem::serve(const Trial& trial) const {
  std::vector<Service> services;
  for (std::size_t task = 0; task < demands_.size(); ++task) {
    services.push_back(serve(trial, task));
  }
  return services;
}

std::vector<Service> PreparedProblem::serve(const Block& block) const {
  return serve(Trial(problem_, demands_, block));
}

}  // namespace gpulint::generate

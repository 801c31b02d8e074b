#include "compiler/why/ways.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/shell_word.h"
#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_cards.h"
#include "compiler/model/kinds/namespace_limits.h"
#include "compiler/model/quantity.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/tolerate.h"
#include "compiler/why/devices.h"
#include "compiler/why/groups.h"
#include "compiler/why/pool_names.h"
#include "compiler/why/try_change.h"

namespace gpulint::why {
namespace {

using Nodes = Change::Nodes;
using Task = Change::Task;

constexpr std::size_t most_shown = 4;
// In large clusters only the first nodes of a group are tried.
constexpr std::size_t large_cluster = 500;
constexpr std::size_t most_looked_at = 2;

/// Only the first way of each kind is suggested.
enum class WayKind : std::uint8_t {
  labels,
  strategy,
  layout,
  name,
  pod_template,
  classes,
  whole,
  other
};

struct RankedChange {
  WayKind kind;
  Change change;
};

/// Smallest change first.
constexpr std::array<RankedChange, 18> changes{{
    {WayKind::labels, {Nodes::as_they_are, Task::as_it_is, true}},
    {WayKind::name, {Nodes::as_they_are, Task::sized, false}},
    {WayKind::name, {Nodes::as_they_are, Task::named, false}},
    {WayKind::name, {Nodes::as_they_are, Task::named, true}},
    {WayKind::strategy, {Nodes::single, Task::as_it_is, false}},
    {WayKind::strategy, {Nodes::single, Task::as_it_is, true}},
    {WayKind::strategy, {Nodes::single, Task::named, false}},
    {WayKind::strategy, {Nodes::single, Task::named, true}},
    {WayKind::pod_template, {Nodes::as_they_are, Task::templated, false}},
    {WayKind::layout, {Nodes::relaid, Task::as_it_is, false}},
    {WayKind::layout, {Nodes::cut, Task::as_it_is, false}},
    {WayKind::layout, {Nodes::cut, Task::as_it_is, true}},
    {WayKind::layout, {Nodes::cut, Task::named, true}},
    {WayKind::classes, {Nodes::as_they_are, Task::classed, true}},
    {WayKind::whole, {Nodes::as_they_are, Task::whole, false}},
    {WayKind::whole, {Nodes::as_they_are, Task::named_whole, false}},
    {WayKind::whole, {Nodes::as_they_are, Task::whole, true}},
    {WayKind::other, {Nodes::as_they_are, Task::other, false}},
}};

/// The text of one way that works.
class Wording {
 public:
  Wording(const Subject& subject, const Group& group, const Change& change, const Outcome& outcome)
      : subject_(subject), group_(group), change_(change), outcome_(outcome) {}

  [[nodiscard]] Way way() && {
    add_nodes();
    add_task();
    add_labels();
    add_tolerations();
    return std::move(way_);
  }

 private:
  void add(std::string_view text) {
    way_.title += way_.title.empty() ? "" : ", and ";
    way_.title += text;
  }
  void remark(std::string_view text) {
    if (!way_.remark.empty()) way_.remark += "; ";
    way_.remark += text;
  }
  void command_for_nodes(std::string_view words) {
    std::vector<std::string> names;
    for (const NodePool* pool : group_.pools) {
      if (pool->source != NodePool::Source::node || pool->name.empty()) return;
      names.push_back(shell_word(pool->name));
    }
    const bool are_many = names.size() > most_shown;
    way_.commands.push_back(
        fmt::format("kubectl label node {} {}",
                    are_many ? "NAME" : fmt::format("{}", fmt::join(names, " ")), words));
    if (are_many) remark(fmt::format("NAME is each of the {} nodes", names.size()));
  }

  void add_nodes() {
    const std::string names = names_of(group_.pools);
    switch (change_.nodes) {
      case Nodes::as_they_are:
        return;
      case Nodes::single:
        add(fmt::format("change the MIG strategy of {} to `single`", names));
        remark(
            "GPU Operator: `mig.strategy: single`; device plugin: `migStrategy: single`; each "
            "partition is then one `nvidia.com/gpu`, and whole GPUs of other nodes do not change");
        return;
      case Nodes::relaid:
      case Nodes::cut:
        add_layout(names);
        return;
    }
  }

  void add_layout(const std::string& names) {
    if (subject_.cluster().provider == Provider::gke) {
      add(fmt::format("create a node pool with `gpu-partition-size={}`", outcome_.layout));
      return;
    }
    add(fmt::format("partition the GPUs of {} into `{}` with MIG strategy `single`", names,
                    outcome_.layout));
    if (subject_.cluster().provider == Provider::aks) {
      remark("on AKS, set the layout on the node pool: `--gpu-instance-profile`");
      return;
    }
    command_for_nodes(shell_word("nvidia.com/mig.config=all-" + outcome_.layout) + " --overwrite");
    remark("the GPU Operator's MIG manager partitions the GPUs once no pod uses them");
  }

  void add_task() {
    switch (change_.task) {
      case Task::as_it_is:
        return;
      case Task::named:
        add(fmt::format("let the task request the device by its name on the nodes: `device={}`",
                        outcome_.device));
        return;
      case Task::other:
        add_device();
        return;
      case Task::sized:
        add(
            fmt::format("let the task request the device by its name on the nodes, which contains "
                        "the size, and no partition: `device={}`",
                        outcome_.device));
        return;
      case Task::whole:
        add("let the task request a whole device: its accelerator without the partition");
        return;
      case Task::named_whole:
        add(
            fmt::format("let the task request a whole device by its name on the nodes: "
                        "`device={}`, without the partition",
                        outcome_.device));
        return;
      case Task::templated:
        add(fmt::format("request `{}` in the task's pod template, without accelerator and `gpu`",
                        outcome_.resource));
        remark(
            "the resource sets only the size; if several devices offer it, choose one with a "
            "`nodeSelector`");
        return;
      case Task::classed:
        add_class();
        return;
    }
  }

  /// Requests the nodes' device, which may be another GPU.
  void add_device() {
    const std::string names = names_of(group_.pools);
    if (may_be_same_card(accelerator_demand(subject_).device, outcome_.device, true)) {
      add(fmt::format("let the task request the device of {}: `device={}`", names,
                      outcome_.device));
      return;
    }
    add(fmt::format("let the task request another GPU, that of {}: `device={}`", names,
                    outcome_.device));
    remark("this changes the GPU that the task runs on");
  }

  void add_class() {
    const bool is_new = subject_.release->propeller.version != FlyteVersion::v2;
    add(fmt::format("{}set a device class with `resource-name: {}` in `accelerator-device-classes`",
                    is_new ? "with Flyte 2, " : "", outcome_.resource));
    remark("the task then requests the device of that class, without a partition");
  }

  void add_labels() {
    if (outcome_.labels.empty()) return;
    std::vector<std::string> pairs;
    std::string words;
    for (const auto& [key, value] : outcome_.labels) {
      pairs.push_back(fmt::format("{}={}", key, value));
      words += ' ';
      words += shell_word(pairs.back());
    }
    add(fmt::format("label {} `{}`",
                    change_.nodes != Nodes::as_they_are ? group_.pools.size() > 1 ? "them" : "it"
                                                        : names_of(group_.pools),
                    fmt::join(pairs, "`, `")));
    command_for_nodes(words.substr(1));
    if (subject_.cluster().provider == Provider::eks ||
        subject_.cluster().provider == Provider::aks) {
      remark("for new nodes, set the labels on the node group");
    }
  }

  void add_tolerations() {
    if (outcome_.tolerations.empty()) return;
    const std::string taints = fmt::format("{}", fmt::join(outcome_.tolerations, "`, `"));
    if (change_.task == Task::templated) {
      add(fmt::format("tolerate `{}` there", taints));
    } else if (subject_.pod != nullptr) {
      add(fmt::format("tolerate `{1}` in `resource-tolerations` of `{0}`", outcome_.resource,
                      taints));
    } else {
      add(fmt::format("tolerate `{}`", taints));
    }
  }

  const Subject& subject_;
  const Group& group_;
  const Change& change_;
  const Outcome& outcome_;
  Way way_;
};

/// Properties of a node that decide whether a change works, in addition to the group's terms.
[[nodiscard]] std::string kind_of(const NodePool& pool) {
  std::string kind;
  for (const PoolLabel& label : pool.labels) {
    if (!is_gpu_label(label.key)) continue;
    append_part(kind, label.key);
    for (const std::string& value : label.values) append_part(kind, value);
  }
  for (const std::string& offered : offered_accelerators(pool)) append_part(kind, offered);
  for (const Taint& taint : pool.taints) append_part(kind, to_string(taint));
  for (const std::string& product : pool.gpu_products) append_part(kind, product);
  return kind;
}

/// Whether the text for a change names the resource that the pod then requests.
[[nodiscard]] bool names_resource(const Change& change, const Subject& subject,
                                  const Outcome& outcome) {
  return change.task == Task::templated || change.task == Task::classed ||
         (subject.pod != nullptr && !outcome.tolerations.empty());
}

/// The nodes of a group on which a change works in the same way.
struct Served {
  Group group;
  Outcome outcome;
};
[[nodiscard]] std::optional<Served> serve(const RankedChange& ranked, const Subject& subject,
                                          const Group& group) {
  std::map<std::string, std::optional<Outcome>> known;
  std::optional<Served> served;
  const bool is_large = subject.cluster().pools.size() > large_cluster;
  std::size_t looked_at = 0;
  for (const NodePool* pool : group.pools) {
    if (is_large && !served && looked_at++ == most_looked_at) break;
    const auto [at, is_new] = known.try_emplace(kind_of(*pool));
    if (is_new) at->second = try_change(ranked.change, subject, *pool);
    const std::optional<Outcome>& outcome = at->second;
    if (!outcome || (ranked.kind == WayKind::labels && outcome->labels.empty())) continue;
    if (names_resource(ranked.change, subject, *outcome) && outcome->resource.empty()) continue;
    if (!served) served = Served{{}, *outcome};
    if (*outcome == served->outcome) served->group.pools.push_back(pool);
  }
  return served;
}

/// If nodes only have too little: the amounts of the nodes with the most.
[[nodiscard]] std::optional<Way> way_by_amounts(const std::vector<const Group*>& groups) {
  const auto is_as_much = [](const FailedTerm& a, const FailedTerm& b) {
    return a.term.key == b.term.key &&
           Quantity::parse(*a.term.actual) >= Quantity::parse(*b.term.actual);
  };
  const Group* best = nullptr;
  for (const Group* group : groups) {
    if (group->terms.empty() || !std::ranges::all_of(group->terms, lacks_amount)) continue;
    if (best == nullptr || std::ranges::equal(group->terms, best->terms, is_as_much)) best = group;
  }
  if (best == nullptr) return std::nullopt;
  Way way;
  for (const FailedTerm& failed : best->terms) {
    const std::string& actual = *failed.term.actual;  // may be "less than 16"
    way.amounts.push_back(fmt::format("{}{} `{}`", actual.starts_with("less") ? "" : "at most ",
                                      actual, failed.term.key));
  }
  way.title = fmt::format("request {} in one pod", fmt::join(way.amounts, " and "));
  way.remark = "the workload may need more, or several pods";
  return way;
}

}  // namespace

std::vector<Way> find_ways(const Subject& subject, const std::vector<Group>& groups) {
  std::vector<Way> ways;
  std::set<WayKind> found;
  const AcceleratorDemand demand = accelerator_demand(subject);
  const std::vector<const Group*> candidates = worth_trying(groups);
  for (const RankedChange& ranked : changes) {
    if (found.contains(ranked.kind)) continue;
    if (subject.task == nullptr && ranked.change.task != Task::as_it_is) continue;
    // not needed if a way without partitioning works
    const bool is_cut_already = found.contains(WayKind::labels) || found.contains(WayKind::name) ||
                                found.contains(WayKind::strategy);
    if (ranked.kind == WayKind::layout && is_cut_already) continue;
    if (ranked.kind == WayKind::other && found.contains(WayKind::name)) continue;
    for (const Group* group : candidates) {
      const bool is_other = ranked.kind == WayKind::other;
      if (!is_other && !demand.device.empty() && !may_have_device(*group, demand.device)) continue;
      const auto served = serve(ranked, subject, *group);
      if (!served) continue;
      ways.push_back(Wording(subject, served->group, ranked.change, served->outcome).way());
      found.insert(ranked.kind);
      break;
    }
  }
  if (auto less = way_by_amounts(candidates)) ways.push_back(std::move(*less));
  return ways;
}

std::optional<Way> way_without_defaults(const Subject& subject) {
  Workload changed = *subject.placement->workloads()[subject.workload];
  std::string given;
  const auto is_given = [&](const ResourceEntry& entry) {
    if (!limit_range_of(entry.name.node)) return false;
    given = entry.name.value;
    return true;
  };
  for (Container& container : changed.pod.containers) {
    std::erase_if(container.resources.limits, is_given);
    std::erase_if(container.resources.requests, is_given);
  }
  if (given.empty()) return std::nullopt;
  PreparedPod pod = prepare_pod(changed, subject.admission);
  pod.claims = subject.prepared().claims;
  const bool does_fit =
      std::ranges::any_of(subject.placement->classes(),
                          [&](const NodeClass& nodes) { return fits(pod, nodes) == Ternary::yes; });
  if (!does_fit) return std::nullopt;
  return Way{.title = remedy_for_default(given),
             .commands = {},
             .remark = fmt::format("containers that do not set `{}` receive it from the LimitRange",
                                   given)};
}

}  // namespace gpulint::why

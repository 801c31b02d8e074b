#include "compiler/why/groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/generate/trial.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/schedule/karpenter_machine_fit.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/devices.h"
#include "compiler/why/nodes_as.h"
#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {
namespace {

constexpr std::string_view terms_pointer =
    "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";

[[nodiscard]] const flyte::Origin* find_origin(const flyte::CompiledPod& pod,
                                               std::string_view pointer) {
  const auto at = std::ranges::find(pod.origins, pointer, &flyte::Origin::pointer);
  return at == pod.origins.end() ? nullptr : &*at;
}

/// The affinity expression that requires the label; null if none.
[[nodiscard]] const flyte::Origin* find_expression(const flyte::CompiledPod& pod,
                                                   const Term& term) {
  const std::vector<SelectorTerm>& terms = pod.workload.pod.node_affinity.required;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = 0; j < terms[i].expressions.size(); ++j) {
      const SelectorRequirement& expression = terms[i].expressions[j];
      if (!expression.key.equals(term.key) || !expression.op.equals(term.op)) continue;
      return find_origin(pod, fmt::format("{}/{}/matchExpressions/{}", terms_pointer, i, j));
    }
  }
  return nullptr;
}

[[nodiscard]] const flyte::Origin* find_origin(const flyte::CompiledPod& pod, const Term& term) {
  const std::string segment = escape_pointer_segment(term.key);
  switch (term.kind) {
    case ReasonKind::insufficient_resource: {
      const flyte::Origin* const request =
          find_origin(pod, "/containers/0/resources/requests/" + segment);
      return request != nullptr ? request
                                : find_origin(pod, "/containers/0/resources/limits/" + segment);
    }
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
      return find_expression(pod, term);
    case ReasonKind::node_selector:
      return find_origin(pod, "/nodeSelector/" + segment);
    case ReasonKind::unschedulable:
    case ReasonKind::untolerated_taint:
    case ReasonKind::unallocated_claims:
      return nullptr;
  }
  return nullptr;
}

[[nodiscard]] bool is_label_setting(std::string_view key) {
  return key.ends_with("device-node-label") || key.ends_with("partition-size-node-label");
}

/// The line that requires a term; for a taint, the place for a toleration.
[[nodiscard]] Origin origin_of(const Term& term, const Subject& subject) {
  Origin origin;
  origin.node = term.demanded;
  if (subject.pod == nullptr) return origin;
  const flyte::Origin* const found = find_origin(*subject.pod, term);
  // not required by Flyte: by a RuntimeClass
  if (found == nullptr && term.kind == ReasonKind::node_selector) return origin;
  if (found == nullptr) {
    const bool has_gpu = !generate::gpu_resource_of(subject.prepared()).empty();
    origin.key = has_gpu ? "plugins.k8s.resource-tolerations" : "plugins.k8s.default-tolerations";
    origin.kind = origin.node ? Origin::Kind::configuration : Origin::Kind::flyte_default;
    return origin;
  }
  origin.node = found->node;
  origin.key = found->key;
  origin.kind = found->key.starts_with("task.") ? Origin::Kind::task
                : found->node                   ? Origin::Kind::configuration
                                                : Origin::Kind::flyte_default;
  origin.is_value_of_accelerator = is_label_setting(found->key);
  return origin;
}

/// The order in which a person would remove obstacles: first what a line of the pod can remove.
[[nodiscard]] int removal_rank(const FailedTerm& failed) {
  if (failed.is_fixed) return 3;
  switch (failed.term.kind) {
    case ReasonKind::unschedulable:
    case ReasonKind::untolerated_taint:
      return 0;
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return 1;
    case ReasonKind::insufficient_resource:
    case ReasonKind::unallocated_claims:
      return 2;
  }
  return 2;
}

/// How hard it is to remove the obstacle.
[[nodiscard]] int distance(const FailedTerm& failed) {
  constexpr int of_fixed = 100;
  if (failed.is_fixed) return of_fixed;
  const bool is_missing =
      failed.term.kind == ReasonKind::insufficient_resource && !lacks_amount(failed);
  return is_missing ? 3 : 2 - (removal_rank(failed) == 0 ? 1 : 0);
}

[[nodiscard]] int distance(const Group& group) {
  int sum = group.lacks_device ? 1000 : 0;
  for (const FailedTerm& failed : group.terms) sum += distance(failed);
  return sum;
}

/// Why the nodes do not offer an accelerator: other resources, MIG labels; may be empty.
[[nodiscard]] std::string explain_offer(const NodePool& pool, const Term& term) {
  if (!is_gpu_resource(term.key)) return {};
  std::vector<std::string> parts;
  const std::vector<std::string> offered = offered_accelerators(pool);
  if (!offered.empty() && term.actual.value_or("0") == "0") {
    parts.push_back(fmt::format("offers instead {}", fmt::join(offered, ", ")));
  }
  for (const std::string_view key : {"nvidia.com/mig.strategy", "nvidia.com/mig.config",
                                     "cloud.google.com/gke-gpu-driver-version"}) {
    const std::string value = label_value(pool, key);
    if (value.empty() || (key.ends_with("driver-version") && value != "disabled")) continue;
    parts.push_back(fmt::format("{}={}", key, value));
  }
  if (std::string layout = missing_layout(pool); !layout.empty()) parts.push_back(layout);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What is unknown about nodes if no term says it. Empty: what their machines offer.
[[nodiscard]] std::string unknown_of(const Assessment& assessment, const NodePool& pool) {
  if (!pool.error.empty() || !pool.kubelet_error.empty()) {
    return "its declaration is invalid, so no new node appears";
  }
  for (const Reason& reason : assessment.reasons) {
    if (reason.holds != Ternary::unknown) continue;
    switch (reason.kind) {
      case ReasonKind::node_affinity:
      case ReasonKind::node_affinity_error:
      case ReasonKind::node_selector:
        return "the input files do not say what else the pod requires of its node";
      case ReasonKind::untolerated_taint:
        return "it may have taints that are not listed";
      case ReasonKind::insufficient_resource:
        return "the input files do not say how much the pod requests";
      case ReasonKind::unschedulable:
      case ReasonKind::unallocated_claims:
        break;
    }
  }
  return {};
}

class Grouper {
 public:
  explicit Grouper(const Subject& subject) : subject_(subject) {
    for (const PodRequest& request : subject.prepared().requests.resources) {
      wants_device_ = wants_device_ || (request.amount > 0 && is_gpu_resource(request.name));
    }
  }

  [[nodiscard]] std::vector<Group> run() {
    for (const NodeClass& nodes : subject_.placement->classes()) add(nodes);
    std::vector<std::pair<std::tuple<bool, int, int, std::size_t>, Group*>> ranked;
    for (auto& [key, group] : groups_) {
      const std::tuple rank(!group.is_open, device_rank(group), distance(group), first_pool(group));
      ranked.emplace_back(rank, &group);
    }
    std::ranges::sort(ranked);
    std::vector<Group> groups;
    for (const auto& [rank, group] : ranked) groups.push_back(std::move(*group));
    return groups;
  }

 private:
  /// If the pod requests devices: nodes with devices come before nodes that may have some.
  [[nodiscard]] int device_rank(const Group& group) const {
    if (!wants_device_ || group.is_open) return 0;
    switch (has_accelerators(*group.pools.front())) {
      case Ternary::yes:
        return 0;
      case Ternary::unknown:
        return 1;
      case Ternary::no:
        break;
    }
    return 2;
  }

  [[nodiscard]] std::size_t first_pool(const Group& group) const {
    return static_cast<std::size_t>(group.pools.front() - subject_.cluster().pools.data());
  }

  void add(const NodeClass& nodes) {
    const Assessment assessment = assess(subject_.prepared(), nodes);
    if (assessment.fits == Ternary::yes) return;
    Group group;
    group.is_open = assessment.fits == Ternary::unknown;
    const NodePool& pool = *nodes.node.pool;
    for (const Reason& reason : assessment.reasons) {
      if (!group.is_open && reason.holds != Ternary::yes) continue;
      for (Term& term : terms_of(reason, subject_.prepared(), nodes)) {
        if (!group.is_open && term.holds != Ternary::yes) continue;
        const bool is_of_pod = !nodes.karpenter && (term.kind == ReasonKind::node_selector ||
                                                    term.kind == ReasonKind::node_affinity);
        // labels and taints that the pool may have in addition
        if (term.key.empty() && group.is_open && !is_of_pod) continue;
        FailedTerm& failed = group.terms.emplace_back(check(std::move(term), pool));
        failed.is_reserved = reason.detail.starts_with("restricted-label:");
      }
    }
    if (group.is_open && group.terms.empty()) {
      if (pool.karpenter != nullptr && pool.error.empty()) add_unknown_amounts(pool, group);
      if (group.terms.empty()) group.unknown = unknown_of(assessment, pool);
    }
    group.lacks_device = wants_device_ && !group.is_open && has_accelerators(pool) == Ternary::no &&
                         std::ranges::any_of(group.terms, [](const FailedTerm& failed) {
                           return failed.term.kind != ReasonKind::unallocated_claims &&
                                  is_gpu_resource(failed.term.key);
                         });
    std::ranges::stable_sort(group.terms, {}, removal_rank);
    Group& known = groups_[key_of(group)];
    if (known.pools.empty()) known = std::move(group);
    for (const std::size_t index : nodes.pools) {
      known.pools.push_back(&subject_.cluster().pools[index]);
    }
  }

  /// For a pool that chooses machines for each pod, the unknown term is what they offer.
  void add_unknown_amounts(const NodePool& pool, Group& group) const {
    const auto known = known_machines(pool);
    if (known) group.machines = gpulint::describe(*known, pool.machine_types);
    for (const PodRequest& request : subject_.prepared().requests.resources) {
      if (request.amount == 0 || !is_gpu_resource(request.name)) continue;
      const auto most =
          known ? most_of(*known, request.name, may_share_devices(pool)) : std::nullopt;
      if (most && *most >= request.amount) continue;
      group.machines.clear();
      FailedTerm& failed = group.terms.emplace_back();
      failed.term.kind = ReasonKind::insufficient_resource;
      failed.term.holds = Ternary::unknown;
      failed.term.key = request.name;
      failed.term.op = ">=";
      failed.term.values = {amount_text(request.name, request.amount)};
      failed.term.demanded = request.node;
      failed.origin = origin_of(failed.term, subject_);
      const PoolLabel* const machines = machine_label(pool);
      if (machines == nullptr) continue;
      failed.term.found = machines->node;
      failed.remark = fmt::format("it may use {}", fmt::join(machines->values, ", "));
    }
  }

  [[nodiscard]] FailedTerm check(Term term, const NodePool& pool) const {
    FailedTerm failed;
    failed.origin = origin_of(term, subject_);
    const bool is_resource = term.kind == ReasonKind::insufficient_resource;
    if (is_resource) failed.remark = explain_offer(pool, term);
    failed.is_unlisted = is_resource && term.holds == Ternary::unknown && !term.actual &&
                         pool.source == NodePool::Source::node && pool.resources_complete;
    const Node listed = pool.node.at("status", "allocatable");
    if (failed.is_unlisted && listed) term.found = listed;
    if (is_resource && term.holds == Ternary::yes) add_exclusion(pool, term, failed);
    if (failed.remark.empty()) failed.remark = term.remark;
    const bool is_without =
        is_resource && is_gpu_resource(term.key) && has_accelerators(pool) == Ternary::no;
    const bool is_device = !is_resource && term.op == "In" && !term.values.empty() &&
                           is_device_label(term.key, subject_);
    if (is_device && !term.actual) {
      const std::string other = other_device(pool, term.values.front());
      if (!other.empty()) failed.remark = fmt::format("its device is `{}`", other);
    }
    const bool is_other =
        is_device && (term.actual ? !means_same(term, pool) : !failed.remark.empty());
    failed.is_fixed = is_without || is_other;
    failed.term = std::move(term);
    return failed;
  }

  /// The requirement of a Karpenter pool that excludes larger machines.
  void add_exclusion(const NodePool& pool, Term& term, FailedTerm& failed) const {
    const auto exclusion = find_exclusion(*subject_.prepared().spec, pool);
    if (!exclusion || !term.remark.empty()) return;
    failed.remark = fmt::format("`{}` excludes {}", exclusion->key, exclusion->machines);
    term.found = exclusion->requirement;
  }

  [[nodiscard]] static bool means_same(const Term& term, const NodePool& pool) {
    return std::ranges::any_of(term.values,
                               [&](const std::string& value) { return has_product(pool, value); });
  }

  /// Groups with equal keys are one.
  [[nodiscard]] static std::string key_of(const Group& group) {
    std::string key = group.lacks_device ? "none" : group.is_open ? "open" : "";
    append_part(key, group.machines);
    append_part(key, group.unknown);
    for (const FailedTerm& failed : group.terms) {
      const Term& term = failed.term;
      append_part(key, to_string(term.kind));
      append_part(key, term.key);
      append_part(key, term.op);
      for (const std::string& value : term.values) append_part(key, value);
      append_part(key, term.actual.value_or("\n"));
      append_part(key, failed.remark);
    }
    return key;
  }

  const Subject& subject_;
  bool wants_device_ = false;
  std::map<std::string, Group> groups_;
};

}  // namespace

std::vector<Group> group_nodes(const Subject& subject) { return Grouper(subject).run(); }

void keep_shown(Story& story) {
  std::vector<Group> kept;
  Group without;
  without.lacks_device = true;
  for (Group& group : story.groups) {
    if (group.lacks_device) {
      without.pools.insert(without.pools.end(), group.pools.begin(), group.pools.end());
    } else if (kept.size() < most_shown_groups) {
      kept.push_back(std::move(group));
    } else {
      story.further += group.pools.size();
    }
  }
  if (!without.pools.empty()) kept.push_back(std::move(without));
  story.groups = std::move(kept);
}

std::vector<const Group*> worth_trying(const std::vector<Group>& groups, std::size_t most) {
  std::vector<const Group*> some;
  for (const Group& group : groups) {
    if (group.lacks_device || group.is_open || some.size() == most) continue;
    some.push_back(&group);
  }
  return some;
}

const PoolLabel* machine_label(const NodePool& pool) {
  const auto found = std::ranges::find_if(pool.labels, [](const PoolLabel& label) {
    const bool is_listed =
        label.known == PoolLabel::Known::one_of || label.known == PoolLabel::Known::exact;
    return is_listed && !label.values.empty() &&
           (label.key == "node.kubernetes.io/instance-type" ||
            label.key.ends_with("/instance-family"));
  });
  return found == pool.labels.end() ? nullptr : &*found;
}

bool lacks_amount(const FailedTerm& failed) {
  return failed.term.kind == ReasonKind::insufficient_resource &&
         failed.term.actual.value_or("0") != "0";
}

bool may_have_device(const Group& group, const std::string& device) {
  const bool is_other = std::ranges::any_of(group.terms, &FailedTerm::is_fixed);
  return !is_other || has_product(*group.pools.front(), device);
}

}  // namespace gpulint::why

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/pod_count.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gates/node_map.h"
#include "compiler/schedule/gates/taken_ports.h"
#include "compiler/schedule/gates/volumes.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/matching_pods.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_relations.h"

namespace gpulint {
namespace {

/// A topology key that is not a label of any node that fits the pod.
void add_missing_label(const NodeMap& map, const Workload& workload, Node key,
                       std::string_view field, Obstacles& found) {
  Obstacle& obstacle =
      found.add(key, "{} uses the topology key `{}`, but no matching node has this label",
                describe(workload), key.text());
  obstacle.help(
      "add the label `{}` to the matching nodes, or change `topologyKey` in {} to a label of these "
      "nodes. Otherwise the pod stays Pending",
      key.text(), field);
  // The label may be set later.
  if (!map.carries(key.text())) obstacle.assume();
}

/// The values of a topology key: of all nodes that count as domains, and of those that fit.
struct Domains {
  std::set<std::string_view> all;
  std::set<std::string_view> fitting;
  std::map<std::string_view, std::size_t> examples;  ///< One node of each value.

  [[nodiscard]] bool has_empty() const { return !std::ranges::includes(fitting, all); }
};

/// Whether the policies exclude a node from the count (`nodeAffinityPolicy`, `nodeTaintsPolicy`).
struct Inclusion {
  bool by_affinity = true;
  bool by_taints = false;

  [[nodiscard]] bool excludes(const Reason& reason) const {
    switch (reason.kind) {
      case ReasonKind::node_selector:
      case ReasonKind::node_affinity:
      case ReasonKind::node_affinity_error:
        return by_affinity;
      case ReasonKind::untolerated_taint:
        return by_taints;
      default:
        return false;
    }
  }
};

/// nullopt if the domain of a node is unknown.
[[nodiscard]] std::optional<Domains> find_domains(const NodeMap& map, const PreparedPod& pod,
                                                  const std::vector<Node>& constraints,
                                                  std::string_view key, Inclusion inclusion) {
  Domains domains;
  const auto has_all_keys = [&](std::size_t pool) {
    return std::ranges::all_of(constraints, [&](Node constraint) {
      return map.value(pool, constraint.get("topologyKey").text()).has_value();
    });
  };
  for (std::size_t i = 0; i < map.nodes().size(); ++i) {
    const Assessment assessment = map.nodes().assess(pod, i);
    const bool counts = std::ranges::none_of(
        assessment.reasons, [&](const Reason& reason) { return inclusion.excludes(reason); });
    for (const std::size_t index : map.nodes().placement().classes()[i].pools) {
      const auto value = map.value(index, key);
      if (!value && !map.lacks(index, key)) return std::nullopt;
      if (!value) continue;
      if (assessment.fits != Ternary::no) domains.fitting.insert(*value);
      if (!counts || !has_all_keys(index)) continue;
      domains.all.insert(*value);
      domains.examples.emplace(*value, index);
    }
  }
  return domains;
}

/// Whether the keys of `matchLabelKeys` have one value for all pods of the template: its own
/// labels, and those that the Deployment or StatefulSet adds.
[[nodiscard]] bool are_of_template(const Workload& workload, Node keys) {
  return std::ranges::all_of(keys.items(), [&](Node key) {
    return key.text() == "pod-template-hash" || key.text() == "controller-revision-hash" ||
           std::ranges::any_of(workload.labels, [&](const LabelEntry& label) {
             return label.key.value == key.text();
           });
  });
}

/// Whether a pod may run in a domain that fits none of the pods that are spread.
[[nodiscard]] bool may_fill(const NodeMap& map, const Workload& workload, std::string_view key,
                            const Domains& domains) {
  const PreparedPod* const pod = map.find_pod(workload);
  if (pod == nullptr || !workload.pod.node_name.is_absent()) return true;
  return std::ranges::any_of(map.fitting(*pod), [&](std::size_t pool) {
    const auto value = map.value(pool, key);
    return value && domains.all.contains(*value) && !domains.fitting.contains(*value);
  });
}

[[nodiscard]] std::optional<Inclusion> read_inclusion(Node constraint) {
  const Field<std::string> affinity = read_string(constraint, "nodeAffinityPolicy");
  const Field<std::string> taints = read_string(constraint, "nodeTaintsPolicy");
  const auto is_clear = [](const Field<std::string>& policy) {
    return policy.is_absent() || policy.equals("Honor") || policy.equals("Ignore");
  };
  if (!is_clear(affinity) || !is_clear(taints)) return std::nullopt;
  return Inclusion{!affinity.equals("Ignore"), taints.equals("Honor")};
}

void add_spread(const NodeMap& map, const Workload& workload, Node key, const PodCount& count,
                const Domains& domains, Obstacles& found) {
  Obstacle& obstacle = found.add(
      key, "{} must spread {} pods over {} values of `{}`, but the matching nodes have only {}",
      describe(workload), *count.pods, domains.all.size(), key.text(), domains.fitting.size());
  if (count.node) obstacle.related(count.node, label_pods(count.node, *count.pods));
  std::vector<std::string> empty;
  for (const std::string_view value : domains.all) {
    if (!domains.fitting.contains(value)) empty.emplace_back(value);
  }
  if (!empty.empty()) {
    obstacle.related(map.label_node(domains.examples.at(empty.front()), key.text()),
                     fmt::format("the scheduler counts `{}`, but no node with this value matches",
                                 empty.front()));
  }
  obstacle
      .help(
          "add a `nodeSelector` or node affinity that excludes the nodes with {}. Otherwise some "
          "pods stay Pending",
          empty.size() == 1 ? fmt::format("`{}`", empty.front())
                            : fmt::format("`{}` and {} other value{}", empty.front(),
                                          empty.size() - 1, empty.size() == 2 ? "" : "s"))
      .assume();
}

void add_affinity(const NodeMap& map, const Workload& workload, Node key, std::size_t fitting,
                  const Workload& partner, Obstacles& found) {
  found
      .add(key, "{} requires the same `{}` as {}, but no matching node has this value",
           describe(workload), key.text(), describe(partner))
      .related(partner.pod.node_name.node(), fmt::format("{} runs on node `{}`", describe(partner),
                                                         partner.pod.node_name.value()))
      .related(map.label_node(fitting, key.text()),
               fmt::format("{} matches {}, but does not have the required `{}`",
                           describe(map.pool(fitting)), describe(workload), key.text()))
      .help(
          "run {} on a node that matches both pods, or remove the pod affinity. Otherwise the "
          "scheduler finds no node for {}",
          describe(partner), describe(workload))
      .assume();
}

/// The pods that a term of a pod affinity matches, if all of them are bound to a node by name.
struct Partners {
  std::vector<const Workload*> pods;          ///< Empty if another pod may match, or none does.
  std::map<FileId, const Workload*> by_file;  ///< The first of each file.
  /// By topology key: the values of their nodes; nullopt if one is unknown.
  std::map<std::string, std::optional<std::set<std::string_view>>, std::less<>> values;
};

/// Finds the obstacles of the workloads that concern the gate. Results that do not depend on one
/// workload are computed once.
class Gatekeeper {
  /// Namespace, selector, topology key, and the values of Domains.
  using Question = std::tuple<std::string, std::string, std::string, std::set<std::string_view>,
                              std::set<std::string_view>>;

 public:
  Gatekeeper(const ScopeModel& model, const KnownNodes& nodes)
      : map_(nodes),
        volumes_(model.objects),
        ports_(map_, model.workloads),
        pods_(model.workloads) {
    for (const KubernetesObject& object : model.objects) {
      scaled_.emplace(object.node.at("spec", "scaleTargetRef", "name").text());
    }
  }

  [[nodiscard]] std::vector<Obstacle> check(const Workload& workload, const PreparedPod& pod) {
    Obstacles found(Gate::topology);
    const Pools fitting = map_.fitting(pod);
    if (fitting.empty()) return {};  // other rules report this
    volumes_.check(map_, workload, fitting, found);
    ports_.check(workload, fitting, found);
    const std::vector<Node> constraints = spread_constraints(workload.pod);
    for (const Node constraint : constraints) {
      if (is_label_missing(workload, constraint, fitting, "`topologySpreadConstraints`", found)) {
        continue;
      }
      check_spread(workload, pod, constraints, constraint, found);
    }
    for (const Node term : pod_affinity_terms(workload.pod)) {
      if (is_selector_missing(workload, term, found)) continue;
      if (is_label_missing(workload, term, fitting, "`podAffinity`", found)) continue;
      check_affinity(workload, term, fitting, found);
    }
    return std::move(found).take();
  }

 private:
  /// Without a label selector a term matches no pods, not even the pod itself
  /// (staging/src/k8s.io/api/core/v1, PodAffinityTerm).
  [[nodiscard]] static bool is_selector_missing(const Workload& workload, Node term,
                                                Obstacles& found) {
    const Node selector = term.get("labelSelector");
    if ((selector && !selector.is_null()) || !has_known_keys(term)) return false;
    found
        .add(term,
             "a required term of `podAffinity` matches no pods, because `labelSelector` is missing")
        .help("add a `labelSelector` to the term. Otherwise the scheduler finds no node for {}",
              describe(workload));
    return true;
  }

  [[nodiscard]] bool is_label_missing(const Workload& workload, Node entry, const Pools& fitting,
                                      std::string_view field, Obstacles& found) const {
    const Field<std::string> key = read_string(entry, "topologyKey");
    const bool is_clear = key.is_known() && !key.value().empty();
    if (is_clear && !map_.all_lack(fitting, key.value())) return false;
    if (is_clear) add_missing_label(map_, workload, key.node(), field, found);
    return true;
  }

  void check_spread(const Workload& workload, const PreparedPod& pod,
                    const std::vector<Node>& constraints, Node constraint, Obstacles& found) {
    const PodCount count = concurrent_pods(workload);
    const Field<std::int64_t> skew = read_int(constraint, "maxSkew");
    const auto inclusion = read_inclusion(constraint);
    const bool is_fixed = map_.has_only_nodes() && facts_of(workload).traits.gang &&
                          count.pods.value_or(0) > 1 && skew.is_known() && skew.value() > 0 &&
                          inclusion && are_of_template(workload, constraint.get("matchLabelKeys"));
    const LabelSelector selector(constraint.get("labelSelector"));
    if (!is_fixed || selector.matches(workload.labels) != Ternary::yes) return;
    const Node key = constraint.get("topologyKey");
    const auto domains = find_domains(map_, pod, constraints, key.text(), *inclusion);
    if (!domains || domains->fitting.empty()) return;
    // A domain that fits no pod stays at zero, and none has more than `maxSkew` above it.
    const auto fitting = static_cast<std::int64_t>(domains->fitting.size());
    if (!domains->has_empty() || *count.pods <= skew.value() * fitting) return;
    const bool is_scaled = scaled_.contains(workload.name);
    if (is_scaled || may_be_filled(workload.name_space, selector, key.text(), *domains)) return;
    add_spread(map_, workload, key, count, *domains, found);
  }

  /// Whether other pods may also count and run on nodes where these cannot.
  [[nodiscard]] bool may_be_filled(const std::string& name_space, const LabelSelector& selector,
                                   std::string_view key, const Domains& domains) {
    const auto [at, is_new] = filled_.try_emplace(
        Question(name_space, selector.text(), key, domains.all, domains.fitting), false);
    if (is_new) {
      at->second = std::ranges::any_of(pods_.find(name_space, selector), [&](const auto& match) {
        return may_fill(map_, *match.workload, key, domains);
      });
    }
    return at->second;
  }

  [[nodiscard]] Partners& find_partners(const std::string& name_space,
                                        const LabelSelector& selector) {
    const auto [at, is_new] = partners_.try_emplace(std::pair(name_space, selector.text()));
    Partners& partners = at->second;
    if (!is_new) return partners;
    for (const auto& [other, selected] : pods_.find(name_space, selector)) {
      if (has_ended(*other)) continue;
      const bool is_bound = selected == Ternary::yes && other->kind.equals("Pod") &&
                            !other->pod.node_name.value_or("").empty();
      if (!is_bound) return partners = {};
      partners.pods.push_back(other);
      partners.by_file.emplace(other->object.span().file, other);
    }
    return partners;
  }

  /// Whether the partners' nodes are known, and no pool of `fitting` shares the label's value with
  /// them.
  [[nodiscard]] bool are_elsewhere(Partners& partners, const Pools& fitting,
                                   std::string_view key) const {
    const auto [at, is_new] = partners.values.try_emplace(std::string(key));
    auto& values = at->second;
    if (is_new) values = values_of(partners.pods, key);
    return values && std::ranges::all_of(fitting, [&](std::size_t pool) {
             const auto value = map_.value(pool, key);
             return value ? !values->contains(*value) : map_.lacks(pool, key);
           });
  }

  [[nodiscard]] std::optional<std::set<std::string_view>> values_of(
      const std::vector<const Workload*>& pods, std::string_view key) const {
    std::set<std::string_view> values;
    for (const Workload* pod : pods) {
      const auto node = map_.find_node(pod->pod);
      const auto value = node ? map_.value(*node, key) : std::nullopt;
      if (!value) return std::nullopt;
      values.insert(*value);
    }
    return values;
  }

  void check_affinity(const Workload& workload, Node term, const Pools& fitting, Obstacles& found) {
    const Node key = term.get("topologyKey");
    const LabelSelector selector(term.get("labelSelector"));
    if (!is_plain_term(term) || selector.matches(workload.labels) != Ternary::no) return;
    Partners& partners = find_partners(workload.name_space, selector);
    if (partners.pods.empty() || !are_elsewhere(partners, fitting, key.text())) return;
    // Prefer the same file: the message must not depend on other files.
    const auto near = partners.by_file.find(workload.object.span().file);
    add_affinity(map_, workload, key, fitting.front(),
                 near == partners.by_file.end() ? *partners.pods.front() : *near->second, found);
  }

  NodeMap map_;
  Volumes volumes_;
  TakenPorts ports_;
  MatchingPods pods_;
  std::set<std::string, std::less<>> scaled_;  ///< Names in `scaleTargetRef` (HPA, ScaledObject).
  std::map<Question, bool> filled_;
  std::map<std::pair<std::string, std::string>, Partners> partners_;
};

[[nodiscard]] bool is_concerned(const Workload& workload) {
  const PodSpec& pod = workload.pod;
  return workload.origin == Workload::Origin::manifest && is_placement_known(workload) &&
         (gpu_relation(pod) != GpuRelation::none || requests_gpu(pod)) &&
         (!spread_constraints(pod).empty() || !pod_affinity_terms(pod).empty() ||
          !volume_claims(workload).empty() || !host_ports(pod).empty());
}

}  // namespace

FindObstacles make_topology_gate(const ScopeModel& model, const PlacementAnalysis* placement) {
  if (placement == nullptr || !placement->nodes) return no_obstacles;
  if (!are_nodes_fixed(model)) return no_obstacles;
  const KnownNodes& nodes = *placement->nodes;
  std::optional<Gatekeeper> gatekeeper;
  std::map<const Workload*, std::vector<Obstacle>> found;
  for (std::size_t i = 0; i < nodes.placement().workloads().size(); ++i) {
    const Workload& workload = *nodes.placement().workloads()[i];
    if (!is_concerned(workload)) continue;
    if (!gatekeeper) gatekeeper.emplace(model, nodes);
    std::vector<Obstacle> obstacles = gatekeeper->check(workload, nodes.placement().pod(i));
    if (!obstacles.empty()) found.emplace(&workload, std::move(obstacles));
  }
  return look_up(std::move(found));
}

}  // namespace gpulint

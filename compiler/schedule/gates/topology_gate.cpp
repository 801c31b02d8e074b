#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/pod_count.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/field_text.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/label_selector.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_relations.h"
#include "compiler/schedule/terms.h"

namespace gpulint {
namespace {

/// Indices into Cluster::pools.
using Pools = std::vector<std::size_t>;

/// The key under which Kubernetes has had the same label, which a CSI driver that took a volume
/// over goes by (csi-translation-lib, translateTopologyFromInTreeToCSI); empty for others.
[[nodiscard]] std::string_view twin_of(std::string_view key) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 2> twins{
      {{"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
       {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"}}};
  for (const auto& [old, current] : twins) {
    if (key == old) return current;
    if (key == current) return old;
  }
  return {};
}

/// The labels of all nodes of a scope, by pool. The corpus must outlive it.
class NodeMap {
 public:
  explicit NodeMap(const KnownNodes& nodes) : nodes_(&nodes) {
    for (const NodePool& pool : cluster().pools) {
      labels_.emplace_back(pool);
      for (const PoolLabel& label : pool.labels) {
        if (label.known != PoolLabel::Known::absent) carried_.insert(label.key);
      }
      has_only_nodes_ = has_only_nodes_ && pool.source == NodePool::Source::node;
    }
  }

  [[nodiscard]] const KnownNodes& nodes() const { return *nodes_; }
  [[nodiscard]] const Cluster& cluster() const { return nodes_->placement().cluster(); }
  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  /// Whether all are Node objects.
  [[nodiscard]] bool has_only_nodes() const { return has_only_nodes_; }

  /// Those that may take the pod.
  [[nodiscard]] Pools fitting(const PreparedPod& pod) const {
    Pools pools;
    for (std::size_t i = 0; i < nodes_->size(); ++i) {
      if (nodes_->fits(pod, i) == Ternary::no) continue;
      std::ranges::copy(nodes_->placement().classes()[i].pools, std::back_inserter(pools));
    }
    return pools;
  }

  /// Whether the nodes certainly have no such label. One that Kubernetes or a provider adds, and
  /// that no node has, may have been left out of nodes that were written by hand; exported ones
  /// have `kubernetes.io/arch`.
  [[nodiscard]] bool lacks(std::size_t pool, std::string_view key) const {
    return labels_[pool].has(key) == Ternary::no &&
           (carries(key) || !may_be_added(key) ||
            labels_[pool].has("kubernetes.io/arch") == Ternary::yes);
  }
  /// Whether any node has the label.
  [[nodiscard]] bool carries(std::string_view key) const { return carried_.contains(key); }
  [[nodiscard]] bool all_lack(const Pools& pools, std::string_view key) const {
    return std::ranges::all_of(pools, [&](std::size_t pool) { return lacks(pool, key); });
  }

  /// The label, or its twin, that decides about a key; null where the nodes have neither.
  [[nodiscard]] const PoolLabel* find(std::size_t pool, std::string_view key) const {
    const PoolLabel* const label = labels_[pool].find(key);
    const std::string_view twin = twin_of(key);
    return label != nullptr || twin.empty() ? label : labels_[pool].find(twin);
  }
  /// The value that all nodes of the pool have; nothing where that is not known.
  [[nodiscard]] std::optional<std::string_view> value(std::size_t pool,
                                                      std::string_view key) const {
    const PoolLabel* const label = labels_[pool].find(key);
    if (label == nullptr || label->known != PoolLabel::Known::exact) return std::nullopt;
    return label->values.front();
  }

  /// Whether the nodes meet a requirement of a volume. A label that they lack may be one that its
  /// CSI driver adds, unless another node has it.
  [[nodiscard]] Ternary meets(std::size_t pool, NodeRequirement requirement) const {
    if (const PoolLabel* const label = find(pool, requirement.key)) {
      requirement.key = label->key;
      return matches(requirement, labels_[pool]);
    }
    const bool is_node = this->pool(pool).source == NodePool::Source::node;
    return is_node && carries(requirement.key) ? matches(requirement, labels_[pool])
                                               : Ternary::unknown;
  }

  [[nodiscard]] const NodePool& pool(std::size_t index) const { return cluster().pools[index]; }

 private:
  const KnownNodes* nodes_;
  std::vector<NodeLabels> labels_;
  std::set<std::string_view> carried_;
  bool has_only_nodes_ = true;
};

/// `a`, `b` and so on: the values of the label among the pools; empty where none is known.
[[nodiscard]] std::string values_text(const NodeMap& map, const Pools& pools,
                                      std::string_view key) {
  std::set<std::string> values;
  for (const std::size_t pool : pools) {
    const PoolLabel* const label = map.find(pool, key);
    const bool has_values = label != nullptr && (label->known == PoolLabel::Known::exact ||
                                                 label->known == PoolLabel::Known::one_of);
    if (has_values) values.insert(label->values.begin(), label->values.end());
  }
  return list({values.begin(), values.end()});
}

/// Where a pool's half of the label is.
[[nodiscard]] Node label_node(const NodeMap& map, std::size_t pool, std::string_view key) {
  const PoolLabel* const label = map.find(pool, key);
  return label != nullptr && label->node ? value_node(*label) : name_node(map.pool(pool));
}

/// The claims and volumes among the objects, by name. Of two with one name there is none.
class Volumes {
  using Key = std::pair<std::string, std::string>;

 public:
  explicit Volumes(const std::vector<KubernetesObject>& objects) {
    for (const KubernetesObject& object : objects) {
      const Node node = object.node;
      if (object.kind.equals("PersistentVolumeClaim")) {
        put(claims_, Key(object_namespace(node), object_name(node)), node);
      } else if (object.kind.equals("PersistentVolume")) {
        put(volumes_, object_name(node), node);
        const Node claim = node.at("spec", "claimRef");
        put(bound_, Key(claim.get("namespace").text(), claim.get("name").text()), node);
      }
    }
  }

  /// The volume that a claim is bound to; nothing where that is not known.
  [[nodiscard]] Node find(const std::string& name_space, const std::string& name) const {
    const Node claim = get(claims_, Key(name_space, name));
    if (!claim) return {};
    const Field<std::string> volume_name = read_string(claim.get("spec"), "volumeName");
    const bool is_named = volume_name.is_known() && !volume_name.value().empty();
    if (volume_name.is_opaque()) return {};
    const Node volume =
        is_named ? get(volumes_, volume_name.value()) : get(bound_, Key(name_space, name));
    const Node reference = volume.at("spec", "claimRef");
    const std::string_view phase = volume.at("status", "phase").text();
    const bool is_of_other = reference && (reference.get("name").text() != name ||
                                           reference.get("namespace").text() != name_space ||
                                           !has_uid(reference, claim));
    return is_of_other || phase == "Released" || phase == "Failed" ? Node{} : volume;
  }

 private:
  template <class Name>
  static void put(std::map<Name, Node>& nodes, Name name, Node node) {
    const auto [at, is_new] = nodes.try_emplace(std::move(name), node);
    if (!is_new) at->second = {};
  }
  template <class Name>
  [[nodiscard]] static Node get(const std::map<Name, Node>& nodes, const Name& name) {
    const auto at = nodes.find(name);
    return at == nodes.end() ? Node{} : at->second;
  }
  [[nodiscard]] static bool has_uid(Node reference, Node claim) {
    const std::string_view wanted = reference.get("uid").text();
    const std::string_view uid = claim.at("metadata", "uid").text();
    return wanted.empty() || uid.empty() || wanted == uid;
  }

  std::map<Key, Node> claims_;
  std::map<std::string, Node> volumes_;
  std::map<Key, Node> bound_;
};

/// A volume's terms, any of which is enough.
struct VolumeAffinity {
  std::vector<SelectorTerm> source;  ///< Empty where a part is open.
  std::vector<NodeTerm> terms;

  explicit VolumeAffinity(Node volume) {
    const Node selector = volume.at("spec", "nodeAffinity", "required");
    if (any_below(selector, [](Node node) { return node.is_opaque(); })) return;
    source = read_node_selector(selector);
    for (const SelectorTerm& term : source) terms.push_back(prepare_term(term));
    const auto is_unclear = [](const NodeTerm& term) {
      return term.is_invalid || term.labels.empty() || !term.fields.empty();
    };
    if (std::ranges::any_of(terms, is_unclear)) terms.clear();
  }
  VolumeAffinity(const VolumeAffinity&) = delete;
  VolumeAffinity& operator=(const VolumeAffinity&) = delete;

  [[nodiscard]] Ternary admits(const NodeMap& map, std::size_t pool) const {
    Ternary best = Ternary::no;
    for (const NodeTerm& term : terms) {
      Ternary all = Ternary::yes;
      for (const NodeRequirement& requirement : term.labels) {
        all = all_of(all, map.meets(pool, requirement));
      }
      best = any_of(best, all);
    }
    return best;
  }
};

/// `excluded`: the nodes that fit the pod and, if it `is_narrowed`, the volumes before this one.
void add_volume(const NodeMap& map, const Workload& workload, const VolumeClaim& claim, Node volume,
                const VolumeAffinity& affinity, const Pools& excluded, bool is_narrowed,
                Obstacles& found) {
  const std::vector<NodeRequirement>& labels = affinity.terms.front().labels;
  const NodeRequirement& unmet = *std::ranges::find_if(labels, [&](const NodeRequirement& each) {
    return map.meets(excluded.front(), each) == Ternary::no;
  });
  Term term;
  term.key = unmet.key;
  term.op = text_of(unmet.source->op);
  for (const std::string_view value : unmet.values) term.values.emplace_back(value);
  const std::string values = values_text(map, excluded, unmet.key);
  Obstacle& obstacle = found.add(
      claim.node, "the volume of `{}` requires `{}`, but the nodes that fit {}{} have {}",
      claim.name, demand_text(term), describe(workload),
      is_narrowed ? " and its other volumes" : "", values.empty() ? "no such label" : values);
  obstacle.related(unmet.source->node, fmt::format("volume `{}`", object_name(volume)))
      .related(label_node(map, excluded.front(), unmet.key), describe(map.pool(excluded.front())))
      .help("use a volume that these nodes can mount, or add nodes that fit the pod where it is");
  // Otherwise the node that has the volume is not among the inputs.
  bool is_known = false;
  for (std::size_t pool = 0; pool < map.size(); ++pool) {
    is_known = is_known || affinity.admits(map, pool) == Ternary::yes;
  }
  if (!is_known) obstacle.assume();
}

void check_volumes(const NodeMap& map, const Volumes& volumes, const Workload& workload,
                   Pools fitting, Obstacles& found) {
  bool is_narrowed = false;
  for (const VolumeClaim& claim : volume_claims(workload)) {
    const Node volume = volumes.find(workload.name_space, claim.name);
    const VolumeAffinity affinity(volume);
    if (affinity.terms.empty()) continue;
    Pools admitted;
    std::ranges::copy_if(fitting, std::back_inserter(admitted), [&](std::size_t pool) {
      return affinity.admits(map, pool) != Ternary::no;
    });
    if (admitted.empty()) {
      return add_volume(map, workload, claim, volume, affinity, fitting, is_narrowed, found);
    }
    is_narrowed = is_narrowed || admitted.size() < fitting.size();
    fitting = std::move(admitted);
  }
}

/// A topology key that no node which fits the pod has as label.
void add_missing_label(const NodeMap& map, const Workload& workload, Node key,
                       std::string_view field, Obstacles& found) {
  Obstacle& obstacle =
      found.add(key, "`{}` is a topology key of {}, but no node that fits {} has this label",
                key.text(), field, describe(workload));
  obstacle.help("label the nodes, or use a topology key that they have");
  // Somebody may yet set a label that no node has.
  if (!map.carries(key.text())) obstacle.assume();
}

/// The values of a topology key: of all nodes that count as domains, and of those that fit.
struct Domains {
  std::set<std::string_view> all;
  std::set<std::string_view> fitting;
  std::map<std::string_view, std::size_t> examples;  ///< A node of each.
};

/// What of a node takes it out of the count (`nodeAffinityPolicy`, `nodeTaintsPolicy`).
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

/// Nothing where a node's domain is not known.
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

/// Whether an object among the inputs decides how many pods there are (HorizontalPodAutoscaler,
/// KEDA's ScaledObject).
[[nodiscard]] bool is_scaled(const Corpus& corpus, const Workload& workload) {
  return std::ranges::any_of(corpus.objects, [&](const KubernetesObject& object) {
    return object.node.at("spec", "scaleTargetRef", "name").text() == workload.name;
  });
}

/// Whether a pod may run in a domain that fits none of the pods that are spread.
[[nodiscard]] bool may_fill(const NodeMap& map, const Workload& workload, std::string_view key,
                            const Domains& domains) {
  const auto workloads = map.nodes().placement().workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (found == workloads.end() || !workload.pod.node_name.is_absent()) return true;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  return std::ranges::any_of(
      map.fitting(map.nodes().placement().pod(index)), [&](std::size_t pool) {
        const auto value = map.value(pool, key);
        return value && domains.all.contains(*value) && !domains.fitting.contains(*value);
      });
}

/// Whether pods of another workload may count, too, and may run where these cannot.
[[nodiscard]] bool may_be_filled(const Corpus& corpus, const NodeMap& map, const Workload& workload,
                                 Node constraint, const Domains& domains) {
  const std::string_view key = constraint.get("topologyKey").text();
  return std::ranges::any_of(corpus.workloads, [&](const Workload& other) {
    return &other != &workload && other.name_space == workload.name_space &&
           selects(constraint.get("labelSelector"), other.labels) != Ternary::no &&
           may_fill(map, other, key, domains);
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
      key,
      "{} pods of {} are spread over {} values of `{}`, but they fit nodes with only {} of them",
      *count.pods, describe(workload), domains.all.size(), key.text(), domains.fitting.size());
  if (count.node) obstacle.related(count.node, fmt::format("{} pods", *count.pods));
  for (const std::string_view value : domains.all) {
    if (domains.fitting.contains(value)) continue;
    obstacle.related(label_node(map, domains.examples.at(value), key.text()),
                     fmt::format("no node with `{}` fits, but the scheduler counts it", value));
    break;
  }
  obstacle
      .help(
          "select only nodes that fit, with `nodeSelector` or node affinity; the scheduler then "
          "ignores the other values")
      .assume();
}

void check_spread(const Corpus& corpus, const NodeMap& map, const Workload& workload,
                  const PreparedPod& pod, const std::vector<Node>& constraints, Node constraint,
                  Obstacles& found) {
  const PodCount count = concurrent_pods(workload);
  const Field<std::int64_t> skew = read_int(constraint, "maxSkew");
  const Node selector = constraint.get("labelSelector");
  const auto inclusion = read_inclusion(constraint);
  const bool is_fixed = map.has_only_nodes() && facts_of(workload).traits.gang &&
                        count.pods.value_or(0) > 1 && skew.is_known() && skew.value() > 0 &&
                        inclusion && are_of_template(workload, constraint.get("matchLabelKeys"));
  if (!is_fixed || selects(selector, workload.labels) != Ternary::yes) return;
  const Node key = constraint.get("topologyKey");
  const auto domains = find_domains(map, pod, constraints, key.text(), *inclusion);
  if (!domains || domains->fitting.empty()) return;
  // A domain that fits no pod stays at zero, and none has more than `maxSkew` above it.
  const bool has_empty = std::ranges::any_of(
      domains->all, [&](std::string_view value) { return !domains->fitting.contains(value); });
  const auto fitting = static_cast<std::int64_t>(domains->fitting.size());
  if (!has_empty || *count.pods <= skew.value() * fitting) return;
  if (is_scaled(corpus, workload) || may_be_filled(corpus, map, workload, constraint, *domains))
    return;
  add_spread(map, workload, key, count, *domains, found);
}

[[nodiscard]] bool has_ended(const Workload& workload) {
  const std::string_view phase = workload.object.at("status", "phase").text();
  return phase == "Succeeded" || phase == "Failed";
}

/// The pods that a term of a pod affinity matches, if all of them are bound to a node by name;
/// empty where another pod may match, or none does.
[[nodiscard]] std::vector<const Workload*> bound_partners(const Corpus& corpus,
                                                          const Workload& workload, Node term) {
  const Node selector = term.get("labelSelector");
  const bool is_elsewhere = term.get("namespaces") || term.get("namespaceSelector") ||
                            term.get("matchLabelKeys") || term.get("mismatchLabelKeys");
  if (is_elsewhere || selects(selector, workload.labels) != Ternary::no) return {};
  std::vector<const Workload*> partners;
  for (const Workload& other : corpus.workloads) {
    if (other.name_space != workload.name_space || has_ended(other)) continue;
    const Ternary selected = selects(selector, other.labels);
    if (selected == Ternary::no) continue;
    const bool is_bound = selected == Ternary::yes && other.kind.equals("Pod") &&
                          other.pod.node_name.is_known() && !other.pod.node_name.value().empty();
    if (!is_bound) return {};
    partners.push_back(&other);
  }
  return partners;
}

/// Whether the pods' nodes are known, and no pool of `fitting` shares the label's value with them.
[[nodiscard]] bool are_elsewhere(const NodeMap& map, const std::vector<const Workload*>& partners,
                                 const Pools& fitting, std::string_view key) {
  std::set<std::string_view> values;
  for (const Workload* partner : partners) {
    const auto& pools = map.cluster().pools;
    const auto node = std::ranges::find_if(pools, [&](const NodePool& pool) {
      return pool.source == NodePool::Source::node && partner->pod.node_name.equals(pool.name);
    });
    if (node == pools.end()) return false;
    const auto value = map.value(static_cast<std::size_t>(node - pools.begin()), key);
    if (!value) return false;
    values.insert(*value);
  }
  return std::ranges::all_of(fitting, [&](std::size_t pool) {
    const auto value = map.value(pool, key);
    return value ? !values.contains(*value) : map.lacks(pool, key);
  });
}

void check_affinity(const Corpus& corpus, const NodeMap& map, const Workload& workload, Node term,
                    const Pools& fitting, Obstacles& found) {
  const Node key = term.get("topologyKey");
  const std::vector<const Workload*> partners = bound_partners(corpus, workload, term);
  if (partners.empty() || !are_elsewhere(map, partners, fitting, key.text())) return;
  // The one of the same file first: other files change the sentence of no file.
  const Workload& partner = **std::ranges::max_element(partners, {}, [&](const Workload* each) {
    return each->object.span().file == workload.object.span().file;
  });
  found
      .add(key,
           "the pod affinity requires the `{}` of {}, which is on node `{}`, but {} fits no node "
           "there",
           key.text(), describe(partner), partner.pod.node_name.value(), describe(workload))
      .related(partner.pod.node_name.node(), fmt::format("the node of {}", describe(partner)))
      .related(label_node(map, fitting.front(), key.text()),
               fmt::format("{} fits the pod", describe(map.pool(fitting.front()))))
      .help("run {} on a node that fits both pods, or remove the pod affinity", describe(partner))
      .assume();
}

/// The workloads that the gate concerns, and what stops them.
class Gatekeeper {
 public:
  Gatekeeper(const Corpus& corpus, const KnownNodes& nodes)
      : corpus_(&corpus), map_(nodes), volumes_(corpus.objects) {}

  [[nodiscard]] std::vector<Obstacle> check(const Workload& workload,
                                            const PreparedPod& pod) const {
    Obstacles found(Gate::topology);
    const Pools fitting = map_.fitting(pod);
    if (fitting.empty()) return {};  // which other rules report
    check_volumes(map_, volumes_, workload, fitting, found);
    const std::vector<Node> constraints = spread_constraints(workload.pod);
    for (const Node constraint : constraints) {
      if (is_label_missing(workload, constraint, fitting, "`topologySpreadConstraints`", found)) {
        continue;
      }
      check_spread(*corpus_, map_, workload, pod, constraints, constraint, found);
    }
    for (const Node term : pod_affinity_terms(workload.pod)) {
      if (is_label_missing(workload, term, fitting, "`podAffinity`", found)) continue;
      check_affinity(*corpus_, map_, workload, term, fitting, found);
    }
    return std::move(found).take();
  }

 private:
  [[nodiscard]] bool is_label_missing(const Workload& workload, Node entry, const Pools& fitting,
                                      std::string_view field, Obstacles& found) const {
    const Field<std::string> key = read_string(entry, "topologyKey");
    const bool is_clear = key.is_known() && !key.value().empty();
    if (is_clear && !map_.all_lack(fitting, key.value())) return false;
    if (is_clear) add_missing_label(map_, workload, key.node(), field, found);
    return true;
  }

  const Corpus* corpus_;
  NodeMap map_;
  Volumes volumes_;
};

[[nodiscard]] bool is_concerned(const Workload& workload) {
  const PodSpec& pod = workload.pod;
  return workload.origin == Workload::Origin::manifest && is_placement_known(workload) &&
         (gpu_relation(pod) != GpuRelation::none || requests_gpu(pod)) &&
         (!spread_constraints(pod).empty() || !pod_affinity_terms(pod).empty() ||
          !volume_claims(workload).empty());
}

}  // namespace

FindObstacles make_topology_gate(const Corpus& corpus) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return no_obstacles;
  if (!are_nodes_fixed(corpus.cluster)) return no_obstacles;
  const KnownNodes& nodes = *corpus.placement->nodes;
  std::optional<Gatekeeper> gatekeeper;
  std::map<const Workload*, std::vector<Obstacle>> found;
  for (std::size_t i = 0; i < nodes.placement().workloads().size(); ++i) {
    const Workload& workload = *nodes.placement().workloads()[i];
    if (!is_concerned(workload)) continue;
    if (!gatekeeper) gatekeeper.emplace(corpus, nodes);
    std::vector<Obstacle> obstacles = gatekeeper->check(workload, nodes.placement().pod(i));
    if (!obstacles.empty()) found.emplace(&workload, std::move(obstacles));
  }
  if (found.empty()) return no_obstacles;
  return [found = std::move(found)](const Workload& workload) {
    const auto of_workload = found.find(&workload);
    return of_workload == found.end() ? std::vector<Obstacle>{} : of_workload->second;
  };
}

}  // namespace gpulint

#include "compiler/schedule/gates/volumes.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/field_text.h"
#include "compiler/schedule/pod_relations.h"
#include "compiler/schedule/terms.h"

namespace gpulint {
namespace {

template <class Name>
void put(std::map<Name, Node>& nodes, Name name, Node node) {
  const auto [at, is_new] = nodes.try_emplace(std::move(name), node);
  if (!is_new) at->second = {};
}

template <class Name>
[[nodiscard]] Node get(const std::map<Name, Node>& nodes, const Name& name) {
  const auto at = nodes.find(name);
  return at == nodes.end() ? Node{} : at->second;
}

[[nodiscard]] bool has_uid(Node reference, Node claim) {
  const std::string_view wanted = reference.get("uid").text();
  const std::string_view uid = claim.at("metadata", "uid").text();
  return wanted.empty() || uid.empty() || wanted == uid;
}

/// The node affinity terms of a volume: one match is enough.
struct VolumeAffinity {
  std::vector<SelectorTerm> source;  ///< Empty if a part is unknown.
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
  const std::string values = map.values_text(excluded, unmet.key);
  const bool is_zone = term.key == "topology.kubernetes.io/zone" && term.op == "In" &&
                       term.values.size() == 1 && !values.empty();
  Obstacle& obstacle =
      found.add(claim.node, "PVC `{}` requires {}, but {}{} matches only nodes {}", claim.name,
                is_zone ? fmt::format("zone `{}`", term.values.front())
                        : fmt::format("`{}`", demand_text(term)),
                describe(workload), is_narrowed ? " with its other volumes" : "",
                values.empty() ? "without this label"
                               : fmt::format("{} {}", is_zone ? "in" : "with", values));
  obstacle
      .related(unmet.source->node,
               fmt::format("the requirement of volume `{}`", object_name(volume)))
      .related(map.label_node(excluded.front(), unmet.key),
               fmt::format("{} matches the pod, but not the volume",
                           describe(map.pool(excluded.front()))))
      .help(
          "use a volume that the matching nodes can mount, or add a matching node with `{}`. "
          "Otherwise the pod stays Pending",
          demand_text(term));
  // If no known node meets it, the node with the volume may not be among the inputs.
  bool is_known = false;
  for (std::size_t pool = 0; pool < map.size(); ++pool) {
    is_known = is_known || affinity.admits(map, pool) == Ternary::yes;
  }
  if (!is_known) obstacle.assume();
}

}  // namespace

Volumes::Volumes(const std::vector<KubernetesObject>& objects) {
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

Node Volumes::find(const std::string& name_space, const std::string& name) const {
  const Node claim = get(claims_, Key(name_space, name));
  if (!claim) return {};
  const Field<std::string> volume_name = read_string(claim.get("spec"), "volumeName");
  const bool is_named = volume_name.is_known() && !volume_name.value().empty();
  if (volume_name.is_opaque()) return {};
  const Node volume =
      is_named ? get(volumes_, volume_name.value()) : get(bound_, Key(name_space, name));
  const Node reference = volume.at("spec", "claimRef");
  const std::string_view phase = volume.at("status", "phase").text();
  const bool is_of_other =
      reference && (reference.get("name").text() != name ||
                    reference.get("namespace").text() != name_space || !has_uid(reference, claim));
  return is_of_other || phase == "Released" || phase == "Failed" ? Node{} : volume;
}

void Volumes::check(const NodeMap& map, const Workload& workload, Pools fitting,
                    Obstacles& found) const {
  bool is_narrowed = false;
  for (const VolumeClaim& claim : volume_claims(workload)) {
    const Node volume = find(workload.name_space, claim.name);
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

}  // namespace gpulint

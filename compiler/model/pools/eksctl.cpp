#include "compiler/model/pools/eksctl.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Fields of a nodegroup of either form (eksctl.io/v1alpha5 schema), in lower case: the strict
/// check ignores letter case, the decoder after it does not.
constexpr std::array<std::string_view, 59> group_fields{"additionalvolumes",
                                                        "ami",
                                                        "amifamily",
                                                        "asgmetricscollection",
                                                        "asgsuspendprocesses",
                                                        "availabilityzones",
                                                        "bottlerocket",
                                                        "capacityreservation",
                                                        "classicloadbalancernames",
                                                        "clusterdns",
                                                        "containerruntime",
                                                        "cpucredits",
                                                        "desiredcapacity",
                                                        "disableasgtagpropagation",
                                                        "disableimdsv1",
                                                        "disablepodimds",
                                                        "ebsoptimized",
                                                        "efaenabled",
                                                        "enabledetailedmonitoring",
                                                        "iam",
                                                        "instancemarketoptions",
                                                        "instancename",
                                                        "instanceprefix",
                                                        "instanceselector",
                                                        "instancesdistribution",
                                                        "instancetype",
                                                        "instancetypes",
                                                        "kubeletextraconfig",
                                                        "labels",
                                                        "launchtemplate",
                                                        "localzones",
                                                        "maxinstancelifetime",
                                                        "maxpodspernode",
                                                        "maxsize",
                                                        "minsize",
                                                        "name",
                                                        "noderepairconfig",
                                                        "outpostarn",
                                                        "overridebootstrapcommand",
                                                        "placement",
                                                        "prebootstrapcommands",
                                                        "privatenetworking",
                                                        "propagateasgtags",
                                                        "releaseversion",
                                                        "securitygroups",
                                                        "spot",
                                                        "ssh",
                                                        "subnets",
                                                        "tags",
                                                        "taints",
                                                        "targetgrouparns",
                                                        "updateconfig",
                                                        "volumeencrypted",
                                                        "volumeiops",
                                                        "volumekmskeyid",
                                                        "volumename",
                                                        "volumesize",
                                                        "volumethroughput",
                                                        "volumetype"};

enum class GroupKind : std::uint8_t { self_managed, managed };

/// The taints that could be read.
struct ReadTaints {
  std::vector<Taint> taints;
  bool decodes = true;
};

/// A field of a taint; the decoder of self-managed groups accepts its name in any letter case.
[[nodiscard]] Field<std::string> taint_field(Node item, std::string_view name, GroupKind kind) {
  if (kind == GroupKind::self_managed) {
    for (const Node::Entry& entry : item.fields()) {
      if (equal_fold(entry.key.text(), name)) return read_string(item, entry.key.text());
    }
  }
  return read_string(item, name);
}

[[nodiscard]] bool has_only_taint_fields(Node item) {
  return std::ranges::all_of(item.fields(), [](const Node::Entry& entry) {
    const std::string key = to_lower(entry.key.text());
    return key == "key" || key == "value" || key == "effect" || entry.key.is_opaque();
  });
}

[[nodiscard]] ReadTaints read_taint_list(Node list, GroupKind kind) {
  ReadTaints result;
  for (const Node item : list.items()) {
    if (item.is_scalar() && item.is_opaque()) continue;
    Taint taint{.node = item,
                .key = taint_field(item, "key", kind),
                .value = taint_field(item, "value", kind),
                .effect = taint_field(item, "effect", kind)};
    const bool decodes = (item.is_mapping() || item.is_null()) && !taint.key.is_mistyped() &&
                         !taint.value.is_mistyped() && !taint.effect.is_mistyped() &&
                         has_only_taint_fields(item);
    result.decodes = result.decodes && decodes;
    result.taints.push_back(std::move(taint));
  }
  return result;
}

/// `EFFECT`, `VALUE:EFFECT` or `:EFFECT`; with more colons everything is the value.
[[nodiscard]] TaintText split_taint(std::string_view key, std::string_view text) {
  const auto colons = std::ranges::count(text, ':');
  if (colons == 0) return {key, {}, text};
  if (colons > 1) return {key, text, {}};
  const std::size_t colon = text.find(':');
  return {key, text.substr(0, colon), text.substr(colon + 1)};
}

[[nodiscard]] ReadTaints read_taint_map(Node map) {
  ReadTaints result;
  std::vector<LabelEntry> entries = read_string_map(map);
  std::ranges::sort(entries, {}, [](const LabelEntry& entry) { return entry.key.value; });
  for (const LabelEntry& entry : entries) {
    if (entry.value.is_known()) {
      Taint taint =
          make_taint(split_taint(entry.key.value, entry.value.value()), entry.value.node());
      taint.key = Field<std::string>::known(entry.key.value, entry.key.node);
      result.taints.push_back(std::move(taint));
    } else if (entry.value.is_opaque()) {
      const auto open = Field<std::string>::opaque(entry.value.node());
      result.taints.push_back(
          {entry.key.node, Field<std::string>::known(entry.key.value, entry.key.node), open, open});
    } else {
      result.decodes = false;
    }
  }
  return result;
}

[[nodiscard]] ReadTaints read_group_taints(Node group, GroupKind kind) {
  const Node taints = group.get("taints");
  if (!taints || taints.is_null() || (taints.is_scalar() && taints.is_opaque())) return {};
  if (taints.is_sequence()) return read_taint_list(taints, kind);
  if (taints.is_mapping() && kind == GroupKind::self_managed) return read_taint_map(taints);
  return {{}, false};
}

/// Unlike the kubelet, eksctl requires an effect.
[[nodiscard]] std::string taint_error(const std::vector<Taint>& taints) {
  for (const Taint& taint : taints) {
    const bool has_effect = taint.effect.is_opaque() || !taint.effect.value_or("").empty();
    if (!has_effect) {
      return "validate: invalid taint effect: , unsupported taint effect";
    }
  }
  const std::string error = kubelet_taint_error(taints);
  return error.empty() ? error : "validate: " + error;
}

[[nodiscard]] std::string decode_error(Node group, const ReadTaints& taints) {
  if (!taints.decodes) {
    return "decode: taints must be a map of strings or a list of {key, value, effect}, and each "
           "value a string";
  }
  if (!is_string_map(group.get("labels"))) return "decode: labels must be strings";
  for (const Node::Entry& entry : group.fields()) {
    const std::string key = to_lower(entry.key.text());
    if (entry.key.is_opaque() || std::ranges::find(group_fields, key) != group_fields.end())
      continue;
    return fmt::format("decode: unknown field \"{}\"", entry.key.text());
  }
  const Node types = group.get("instanceTypes");
  if (types.is_scalar() && !types.is_null() && !types.is_opaque()) {
    return "decode: instanceTypes must be a list";
  }
  if (find_repeated_key(group)) return "decode: a key is set twice";
  return {};
}

/// Whether nodes receive labels only from the group and its provider.
[[nodiscard]] bool lists_labels(Node group) {
  constexpr auto others = std::to_array<std::string_view>(
      {"launchTemplate", "overrideBootstrapCommand", "preBootstrapCommands", "kubeletExtraConfig"});
  return has_known_keys(group.get("labels")) &&
         std::ranges::none_of(others, [&](std::string_view key) { return bool(group.get(key)); });
}

[[nodiscard]] NodePool read_group(Node cluster, Node group, GroupKind kind) {
  NodePool pool;
  pool.source = NodePool::Source::eksctl;
  pool.name = read_string(group, "name").value_or("");
  pool.node = group;
  ReadTaints taints = read_group_taints(group, kind);
  pool.error = decode_error(group, taints);
  if (!pool.error.empty()) return pool;
  pool.taints = std::move(taints.taints);
  pool.taints_complete = !group.get("taints").is_opaque();
  pool.labels = read_pool_labels(group.get("labels"));
  pool.own_labels_complete = lists_labels(group);
  set_label(pool, "alpha.eksctl.io/cluster-name", PoolLabel::Known::exact,
            {read_string(cluster.get("metadata"), "name").value_or("")},
            cluster.at("metadata", "name"));
  set_label(pool, "alpha.eksctl.io/nodegroup-name", PoolLabel::Known::exact, {pool.name},
            group.get("name"));
  pool.error = taint_error(pool.taints);
  if (pool.error.empty()) {
    const std::string labels = node_label_error(pool.labels);
    if (!labels.empty()) pool.error = "validate: " + labels;
  }
  // "mixed" if a distribution has the types
  if (!group.get("instancesDistribution")) add_machine_type(pool, group.get("instanceType"));
  add_machine_types(pool, group.get("instanceTypes"));
  add_machine_types(pool, group.at("instancesDistribution", "instanceTypes"));
  if (kind == GroupKind::managed) {
    add_eks_knowledge(
        pool, read_bool(group, "spot").equals(true) ? EksCapacity::spot : EksCapacity::on_demand);
  }
  add_gpu_knowledge(pool);
  return pool;
}

}  // namespace

std::vector<NodePool> read_eksctl(Node object) {
  std::vector<NodePool> pools;
  for (const Node group : object.get("nodeGroups").items()) {
    if (group.is_mapping()) pools.push_back(read_group(object, group, GroupKind::self_managed));
  }
  for (const Node group : object.get("managedNodeGroups").items()) {
    if (group.is_mapping()) pools.push_back(read_group(object, group, GroupKind::managed));
  }
  return pools;
}

}  // namespace gpulint

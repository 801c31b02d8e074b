#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_products.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/queued_pods.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unmatched_node_selector {
namespace {

/// The selectors that OpenShift adds to the pods of namespaces.
class AddedSelectors {
 public:
  explicit AddedSelectors(const Corpus& corpus) {
    for (const KubernetesObject& object : corpus.objects) {
      if (object.kind.equals("Namespace") || object.kind.equals("Project")) {
        const auto [place, is_new] = spaces_.emplace(object_name(object.node), object.node);
        if (!is_new) place->second = {};
      } else if (!default_ && object.kind.equals("Scheduler") &&
                 object.api_version.value_or("").starts_with("config.openshift.io/")) {
        default_ = object.node.at("spec", "defaultNodeSelector");
      }
    }
  }

  /// The selector that OpenShift adds to pods of the namespace; nothing if unknown.
  [[nodiscard]] Node find(const std::string& name_space) const {
    const auto found = spaces_.find(name_space);
    if (found == spaces_.end() || !found->second) return {};
    const Node annotations = found->second.at("metadata", "annotations");
    if (annotations.is_opaque()) return {};
    if (annotations.get("scheduler.alpha.kubernetes.io/node-selector")) return {};
    if (const Node own = annotations.get("openshift.io/node-selector")) return own;
    return default_;
  }

 private:
  std::map<std::string, Node> spaces_;  ///< Empty nodes if several have the name.
  Node default_;
};

/// Whether nodes of the pool certainly lack the label, or have another value.
[[nodiscard]] bool lacks(const NodePool& pool, std::string_view key, std::string_view value) {
  if (pool.source != NodePool::Source::node) return false;
  return std::ranges::none_of(pool.labels, [&](const PoolLabel& label) {
    const bool is_other = label.known == PoolLabel::Known::exact && label.values.front() != value;
    return label.key == key && !is_other;
  });
}

/// The nodes that certainly have GPUs; none if that is unknown for some node.
[[nodiscard]] std::vector<const NodePool*> find_gpu_nodes(const Corpus& corpus) {
  std::vector<const NodePool*> found;
  for (const NodePool& pool : corpus.cluster.pools) {
    const Ternary has_gpus = has_accelerators(pool);
    if (has_gpus == Ternary::unknown) return {};
    if (has_gpus == Ternary::yes) found.push_back(&pool);
  }
  return found;
}

/// The first `key=value` of the text that every GPU node lacks; empty if there is none.
[[nodiscard]] std::string_view find_unmet(const std::vector<const NodePool*>& gpu_nodes,
                                          std::string_view text) {
  if (gpu_nodes.empty()) return {};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = take_part(rest, ',');
    std::string_view value = part;
    const std::string_view key = take_part(value, '=');
    if (key.empty() || key.find("kubernetes.io/") != key.npos) continue;
    const auto is_without = [&](const NodePool* pool) { return lacks(*pool, key, value); };
    if (std::ranges::all_of(gpu_nodes, is_without)) return part;
  }
  return {};
}

/// Reports node selectors that OpenShift adds to the pods of a namespace and that no GPU node
/// meets: the namespace's annotation `openshift.io/node-selector`, else `defaultNodeSelector` of
/// the Scheduler `cluster`; neither where the namespace has PodNodeSelector's annotation
/// (OpenShift Container Platform 4.16, "Placing pods on specific nodes using node selectors": its
/// admission plugin OriginPodNodeEnvironment). Checked are namespaces among the inputs with GPU
/// nodes given as Nodes, without labels in the domain `kubernetes.io`: given Nodes are often
/// abridged.
void check_project_selectors(const Corpus& corpus, Reporter& reporter) {
  const AddedSelectors selectors(corpus);
  std::map<std::string, const Workload*> concerned;  // by namespace, the first of each
  for (const Workload& workload : corpus.workloads) {
    const Node selector = selectors.find(workload.name_space);
    if (!selector.is_scalar() || selector.is_opaque()) continue;
    if (workload.origin != Workload::Origin::manifest) continue;
    if (!find_gpu_daemon(workload) && !requests_gpu(workload.pod)) continue;
    concerned.emplace(workload.name_space, &workload);
  }
  if (concerned.empty()) return;
  const std::vector<const NodePool*> gpu_nodes = find_gpu_nodes(corpus);
  for (const auto& [name_space, workload] : concerned) {
    const Node selector = selectors.find(name_space);
    const std::string_view unmet = find_unmet(gpu_nodes, selector.text());
    if (unmet.empty()) continue;
    reporter
        .report(selector,
                "OpenShift selects `{}` for namespace `{}`, but no GPU node has this label", unmet,
                name_space)
        .related(name_node(*gpu_nodes.front()),
                 fmt::format("{} does not have this label", describe(*gpu_nodes.front())))
        .help(
            "add the label `{}` to the GPU nodes, or set the annotation "
            "`openshift.io/node-selector: \"\"` of the namespace. Otherwise {} cannot run on GPU "
            "nodes",
            unmet, describe(*workload));
  }
}

using Half = UnmatchedRequirement::Half;

/// Whether the pod has a name that GPU Feature Discovery uses, and the pools have one that it does
/// not: then theirs is wrong.
[[nodiscard]] bool is_right_product(const UnmatchedRequirement& unmatched) {
  const auto is_known = [](const std::string& value) {
    return std::ranges::any_of(find_device(whole_product(value)), [](const DeviceName* name) {
      return name->vocabulary == DeviceVocabulary::gfd;
    });
  };
  return vocabulary_of_label(unmatched.key) == DeviceVocabulary::gfd &&
         unmatched.wanted.size() == 1 && is_known(unmatched.wanted.front()) &&
         std::ranges::none_of(unmatched.carried, is_known);
}

/// Where a declaration sets the labels of its nodes; empty if it has no such place.
[[nodiscard]] std::string_view home_of_labels(NodePool::Source source) {
  using Source = NodePool::Source;
  switch (source) {
    case Source::karpenter_node_pool:
      return "spec.template.metadata.labels";
    case Source::karpenter_provisioner:
      return "spec.labels";
    case Source::eksctl:
      return "labels";
    case Source::kops:
      return "spec.nodeLabels";
    case Source::cluster_api:
      return "the kubelet argument `node-labels` in the bootstrap configuration";
    case Source::machine_api:
      return "spec.template.spec.metadata.labels";
    case Source::config_connector:
      return "spec.nodeConfig.labels";
    case Source::terraform:
      return "labels";
    case Source::service_operator:
      return "nodeLabels";
    case Source::compute_class:
    case Source::node:
    case Source::gpulint_config:
    case Source::kubelet:
      break;
  }
  return {};
}

/// Whether the entry is the required label. Selectors name labels of other objects.
[[nodiscard]] bool says_it(Node value, const UnmatchedRequirement& unmatched) {
  if (value.key().text() != unmatched.key || !value.is_scalar()) return false;
  const bool fits = unmatched.wanted.empty() ||
                    std::ranges::find(unmatched.wanted, value.text()) != unmatched.wanted.end();
  return fits && value.parent().key().text() != "matchLabels";
}

/// A label in a pool's declaration that nodes do not receive: among tags of machines, or on the
/// declaring object itself.
struct StrayLabel {
  const NodePool* pool = nullptr;
  Node key;
  std::string where;      ///< The mapping that holds it: `spec.cloudLabels`.
  std::string_view home;  ///< Where the labels of its nodes belong: `spec.nodeLabels`.
};

/// The required label in the wrong place of a pool; nothing if no pool has it there.
[[nodiscard]] std::optional<StrayLabel> find_stray_label(const Corpus& corpus,
                                                         const UnmatchedRequirement& unmatched) {
  if (unmatched.half == UnmatchedRequirement::Half::presence) return std::nullopt;
  for (const NodePool& pool : corpus.cluster.pools) {
    const std::string_view home = home_of_labels(pool.source);
    if (home.empty()) continue;
    const auto is_read = [&](Node key) {
      return std::ranges::find(pool.labels, key, &PoolLabel::node) != pool.labels.end();
    };
    std::optional<StrayLabel> found;
    walk(pool.node, [&](Node value) {
      if (found || !says_it(value, unmatched) || is_read(value.key())) return;
      found = {&pool, value.key(), key_path(value.parent()), home};
    });
    if (found) return found;
  }
  return std::nullopt;
}

/// The label with the GPU model that the provider of the nodes sets; null if there is none.
[[nodiscard]] const PoolLabel* find_device_label(const NodePool& pool) {
  const auto found = std::ranges::find_if(pool.labels, [](const PoolLabel& label) {
    return has_role(label.key, "device") && label.has_one_value();
  });
  return found == pool.labels.end() ? nullptr : &*found;
}

/// What to write instead, from the values that nodes have. `Gt` and `Lt` compare whole numbers.
[[nodiscard]] std::string values_help(const UnmatchedRequirement& unmatched) {
  if (unmatched.op != "Gt" && unmatched.op != "Lt") {
    return fmt::format("use a value that nodes have: {}", list(unmatched.carried));
  }
  std::vector<std::string> numbers;
  std::ranges::copy_if(unmatched.carried, std::back_inserter(numbers),
                       [](const std::string& value) { return parse_go_int(value).has_value(); });
  if (numbers.empty()) {
    return fmt::format(
        "use the operator `In` with a value that nodes have: {}. The operator `{}` compares only "
        "numbers",
        list(unmatched.carried), unmatched.op);
  }
  const bool is_greater = unmatched.op == "Gt";
  const std::string_view relation = is_greater ? "less" : "greater";
  if (numbers.size() == 1) {
    return fmt::format("write a number {} than `{}`, which is the value on the nodes", relation,
                       numbers.front());
  }
  const auto [least, most] = std::ranges::minmax_element(
      numbers, {}, [](const std::string& value) { return parse_go_int(value).value_or(0); });
  return fmt::format("write a number {} than `{}`. The nodes have the values {}", relation,
                     is_greater ? *most : *least, list(numbers));
}

/// Adds a help with the labels that nodes have, and a fix if the workload then fits. `what` of the
/// cause is an UnmatchedRequirement.
void advise(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const auto offer = [&](const MeantLabel& meant) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
                correct_labels(*corpus.sources, cause, meant));
  };
  if (!unmatched.suggested_key.empty()) {
    const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
    finding.help("use `{}`, which {} has", meant.text(), describe(*cause.pool));
    if (cause.is_fix_verified) offer(meant);
    return;
  }
  if (unmatched.carried.empty()) {
    const KarpenterPool* const karpenter = cause.pool->karpenter.get();
    if (karpenter != nullptr && is_karpenter_restricted(unmatched.key, karpenter->provider)) {
      finding.help(
          "use the label `karpenter.sh/nodepool` instead of `{0}`. Otherwise Karpenter rejects the "
          "pod, because Karpenter reserves `{0}`",
          unmatched.key);
    } else if (const PoolLabel* const device = find_device_label(*cause.pool);
               device != nullptr && unmatched.key.starts_with("nvidia.com/gpu")) {
      finding.help("require `{}={}`, which {} has, or add the label `{}` to the nodes", device->key,
                   device->values.front(), describe(*cause.pool), unmatched.key);
    } else if (unmatched.half == Half::key) {
      finding.help(
          "add the label `{}` to the nodes, or remove the requirement. Run `gpulint nodes` to list "
          "the labels of all nodes",
          unmatched.key);
    }
    return;
  }
  if (is_right_product(unmatched)) {
    const bool is_one = unmatched.carried.size() == 1;
    finding.help(
        "correct the label value{1} {2} of {3}, and keep `{0}` here. GPU Feature Discovery uses "
        "the name `{0}`, not {2}",
        unmatched.wanted.front(), is_one ? "" : "s", list(unmatched.carried),
        is_one ? describe(*cause.pool) : "the nodes");
    return;
  }
  if (unmatched.half == Half::presence) {
    finding.help(
        "remove or change the requirement, because GPU nodes have this label with the value{} {}",
        unmatched.carried.size() == 1 ? "" : "s", list(unmatched.carried));
    return;
  }
  finding.help("{}", values_help(unmatched));
  // The only value: the fix is offered only after a check that the pod then fits.
  const bool is_only = unmatched.half == Half::value && unmatched.op == "In" &&
                       unmatched.carried.size() == 1 && unmatched.wanted.size() == 1;
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (is_only && is_written) offer({unmatched.key, unmatched.carried.front()});
}

/// Whether it selects by `nvidia.com/gpu.product` a GPU that the pool's machines do not have.
[[nodiscard]] bool is_of_other_gpu(const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  return unmatched.key == product_label && unmatched.wanted.size() == 1 &&
         unmatched.carried.empty() && is_of_other_gpu(*cause.pool, unmatched.wanted.front());
}

/// Adds a help with the GPU that they have; false if that is not the cause.
[[nodiscard]] bool advise_other_gpu(const Cause& cause, Finding& finding) {
  if (!is_of_other_gpu(cause)) return false;
  finding.related(machines_node(*cause.pool),
                  fmt::format("the machines of {} do not have this GPU", describe(*cause.pool)));
  const std::vector<std::string_view> theirs = product_labels_of(*cause.pool);
  if (theirs.empty()) {
    finding.help("select a pool with this GPU, because the machines of {} have another GPU",
                 describe(*cause.pool));
    return true;
  }
  finding.help("use the product name of a GPU in {}: {}", describe(*cause.pool),
               list(std::vector<std::string>(theirs.begin(), theirs.end())));
  return true;
}

/// Adds a help if a pool has the required label in a place that nodes receive no labels from; false
/// if none has. `what` of the cause is an UnmatchedRequirement.
[[nodiscard]] bool advise_stray_label(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto stray = find_stray_label(corpus, std::get<UnmatchedRequirement>(cause.what));
  if (!stray) return false;
  const bool is_path = stray->home.find(' ') == std::string_view::npos;
  finding
      .related(stray->key,
               fmt::format("the nodes of {} do not receive this label", describe(*stray->pool)))
      .help("move the label from `{}` of {} to {}", stray->where, describe(*stray->pool),
            is_path ? fmt::format("`{}`", stray->home) : std::string(stray->home));
  return true;
}

using Half = UnmatchedRequirement::Half;

/// Whether the requirement is written as `key=value`.
[[nodiscard]] bool is_one_value(const UnmatchedRequirement& unmatched) {
  return unmatched.op == "In" && unmatched.wanted.size() == 1;
}

[[nodiscard]] Finding report(const Cause& cause, const UnmatchedRequirement& unmatched,
                             Reporter& reporter) {
  const std::string workload = describe(cause);
  if (is_of_other_gpu(cause)) {
    return reporter.report_span(cause.where, cause.demand,
                                "{} requires the GPU `{}`, but no node has this GPU", workload,
                                unmatched.wanted.front());
  }
  switch (unmatched.half) {
    case Half::key:
      return reporter.report_span(cause.where, cause.demand,
                                  "{} requires the label `{}`, but no node has this label",
                                  workload, unmatched.key);
    case Half::value:
      return reporter.report_span(
          cause.where, cause.demand, "{} requires `{}`, but no node {}", workload,
          requirement_text(unmatched),
          is_one_value(unmatched) ? "has this value" : "meets this requirement");
    case Half::presence:
      break;
  }
  return reporter.report_span(cause.where, cause.demand,
                              "the requirement `{}` of {} excludes every GPU node",
                              requirement_text(unmatched), workload);
}

/// What the node or pool has at the place that the finding marks.
[[nodiscard]] std::string seen_text(const UnmatchedRequirement& unmatched) {
  if (!unmatched.suggested_key.empty()) {
    return fmt::format("`{}`",
                       MeantLabel{unmatched.suggested_key, unmatched.suggested_value}.text());
  }
  if (unmatched.carried.size() == 1) {
    return fmt::format("`{}={}`", unmatched.key, unmatched.carried.front());
  }
  return "a value that does not match";
}

/// How the marked node or pool is connected with the requirement.
[[nodiscard]] std::string pool_text(const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const std::string pool = describe(*cause.pool);
  if (cause.other) return fmt::format("{} has {}", pool, seen_text(unmatched));
  if (unmatched.half == Half::presence) return fmt::format("{} has this label", pool);
  const std::string_view missing = unmatched.half == Half::key ? "label" : "value";
  // A ResourceFlavor itself requests nothing.
  if (is_flavor(*cause.workloads.front())) {
    return fmt::format("{} does not have this {}", pool, missing);
  }
  return fmt::format("{} has the requested resources, but not this {}", pool, missing);
}

/// The first value of a Karpenter pool's requirement, where one edits; other places unchanged.
[[nodiscard]] Node shown_place(Node other) {
  const std::vector<Node> values = other.get("values").items();
  return values.empty() ? other : values.front();
}

[[nodiscard]] bool is_told_elsewhere(const Corpus& corpus, const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const std::string_view written = unmatched.key_node.text();
  // lowercased-label-key reports keys that Flyte's loader changed.
  const bool is_lowered = written != unmatched.key && equal_fold(written, unmatched.key);
  return is_lowered || is_matter_of_flyte_labels(corpus, cause);
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_project_selectors(corpus, reporter);
  for (const Cause* each : causes_of<UnmatchedRequirement>(corpus)) {
    const Cause& cause = *each;
    if (is_told_elsewhere(corpus, cause)) continue;
    Finding finding = report(cause, std::get<UnmatchedRequirement>(cause.what), reporter);
    if (advise_stray_label(corpus, cause, finding) || advise_other_gpu(cause, finding)) {
      relate_workloads(finding, cause);
      continue;
    }
    finding.related(cause.other ? shown_place(cause.other) : name_node(*cause.pool),
                    pool_text(cause));
    advise(corpus, cause, finding);
    relate_workloads(finding, cause);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::unmatched_node_selector

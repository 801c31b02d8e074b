#include "rules/unmatched-node-selector/project_selectors.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/causes.h"
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

  /// The text that pods of the namespace get; nothing where that is not known.
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
  std::map<std::string, Node> spaces_;  ///< empty nodes where several have the name
  Node default_;
};

/// Whether nodes of the pool surely lack the label, or have another value.
[[nodiscard]] bool lacks(const NodePool& pool, std::string_view key, std::string_view value) {
  if (pool.source != NodePool::Source::node) return false;
  return std::ranges::none_of(pool.labels, [&](const PoolLabel& label) {
    const bool is_other = label.known == PoolLabel::Known::exact && label.values.front() != value;
    return label.key == key && !is_other;
  });
}

/// The nodes that surely have GPUs; none where some node may have them.
[[nodiscard]] std::vector<const NodePool*> find_gpu_nodes(const Corpus& corpus) {
  std::vector<const NodePool*> found;
  for (const NodePool& pool : corpus.cluster.pools) {
    const Ternary has_gpus = has_accelerators(pool);
    if (has_gpus == Ternary::unknown) return {};
    if (has_gpus == Ternary::yes) found.push_back(&pool);
  }
  return found;
}

/// The first `key=value` of the text that every GPU node lacks; empty where there is none.
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

}  // namespace

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
        .report(selector, "no known GPU node has `{}`, which OpenShift adds to {} in `{}`", unmet,
                describe(*workload), name_space)
        .related(name_node(*gpu_nodes.front()), "a GPU node without it")
        .help(
            "label the GPU nodes, or give the namespace the annotation "
            "`openshift.io/node-selector: \"\"`");
  }
}

}  // namespace gpulint::rules::unmatched_node_selector

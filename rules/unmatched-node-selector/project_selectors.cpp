#include "rules/unmatched-node-selector/project_selectors.h"

#include <algorithm>
#include <set>
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

/// The Namespace or Project of this name; nothing where none is given, or several are.
[[nodiscard]] Node find_space(const Corpus& corpus, const std::string& name) {
  Node found;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_space = object.kind.equals("Namespace") || object.kind.equals("Project");
    if (!is_space || object_name(object.node) != name) continue;
    if (found) return {};
    found = object.node;
  }
  return found;
}

/// The text of the selector that pods of the namespace get; nothing where that is not known.
[[nodiscard]] Node find_added_selector(const Corpus& corpus, const std::string& name) {
  const Node space = find_space(corpus, name);
  const Node annotations = space.at("metadata", "annotations");
  if (!space || annotations.is_opaque()) return {};
  if (annotations.get("scheduler.alpha.kubernetes.io/node-selector")) return {};
  if (const Node own = annotations.get("openshift.io/node-selector")) return own;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_scheduler = object.kind.equals("Scheduler") &&
                              object.api_version.value_or("").starts_with("config.openshift.io/");
    if (is_scheduler) return object.node.at("spec", "defaultNodeSelector");
  }
  return {};
}

/// Whether nodes of the pool surely lack the label, or have another value.
[[nodiscard]] bool lacks(const NodePool& pool, std::string_view key, std::string_view value) {
  if (pool.source != NodePool::Source::node) return false;
  return std::ranges::none_of(pool.labels, [&](const PoolLabel& label) {
    const bool is_other = label.known == PoolLabel::Known::exact && label.values.front() != value;
    return label.key == key && !is_other;
  });
}

/// The first `key=value` of the text that every GPU node lacks; empty where there is none.
[[nodiscard]] std::string_view find_unmet(const std::vector<const NodePool*>& gpu_nodes,
                                          std::string_view text) {
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
  std::vector<const NodePool*> gpu_nodes;
  for (const NodePool& pool : corpus.cluster.pools) {
    const Ternary has_gpus = has_accelerators(pool);
    if (has_gpus == Ternary::unknown) return;
    if (has_gpus == Ternary::yes) gpu_nodes.push_back(&pool);
  }
  if (gpu_nodes.empty()) return;
  std::set<std::string> told;
  for (const Workload& workload : corpus.workloads) {
    const bool concerns = find_gpu_daemon(workload) || requests_gpu(workload.pod);
    if (!concerns || workload.origin != Workload::Origin::manifest) continue;
    const Node selector = find_added_selector(corpus, workload.name_space);
    if (!selector.is_scalar() || selector.is_opaque()) continue;
    const std::string_view unmet = find_unmet(gpu_nodes, selector.text());
    if (unmet.empty() || !told.insert(workload.name_space).second) continue;
    reporter
        .report(selector, "no known GPU node has `{}`, which OpenShift adds to {} in `{}`", unmet,
                describe(workload), workload.name_space)
        .related(name_node(*gpu_nodes.front()), "a GPU node without it")
        .help(
            "label the GPU nodes, or give the namespace the annotation "
            "`openshift.io/node-selector: \"\"`");
  }
}

}  // namespace gpulint::rules::unmatched_node_selector

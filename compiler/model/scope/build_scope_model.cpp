#include "compiler/model/scope/build_scope_model.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/parallel.h"
#include "compiler/ir/node.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/completed_pods.h"
#include "compiler/model/kinds/namespace_limits.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/kinds/resource_parts.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/kustomize/apply.h"
#include "compiler/model/scope/read_cluster.h"

namespace gpulint {
namespace {

/// Runs last, because parts are not objects.
void add_fragments(const std::vector<const Document*>& documents, ScopeModel& model) {
  for (const Document* document : documents) {
    model.documents.push_back(document);
    std::vector<Workload> found = find_pod_fragments(find_objects(root(*document)));
    std::ranges::move(found, std::back_inserter(model.fragments));
  }
}

/// Documents that their form identifies, independent of others.
void add_configurations(ScopeModel& model, unsigned jobs) {
  auto uses = parallel_map(model.documents.size(), jobs, [&](std::size_t i) {
    const Document& document = *model.documents[i];
    return find_chart_uses(document, model.sources->file(document.file).path());
  });
  for (auto& found : uses) std::ranges::move(found, std::back_inserter(model.chart_uses));
  for (const Document* document : model.documents) {
    if (!document->errors.empty() || !is_mig_config(*document)) continue;
    model.mig_configs.push_back(read_mig_config(root(*document)));
  }
}

/// Whether one of the parts decides where its pod may run.
[[nodiscard]] bool steers_any_pod(const std::vector<Workload>& fragments) {
  const auto asks_for_device = [](const Container& container) {
    return std::ranges::any_of(container.resources.limits, [](const ResourceEntry& entry) {
      return entry.name.value.find('/') != std::string::npos;
    });
  };
  return std::ranges::any_of(fragments, [&](const Workload& workload) {
    const PodSpec& pod = workload.pod;
    return pod.tolerations_node || pod.node_selector_node || pod.node_affinity.node ||
           std::ranges::any_of(pod.containers, asks_for_device);
  });
}

/// As find_objects() reads the object, without a copy of each. `kind`: if it does not state one.
[[nodiscard]] bool are_nodes(Node object, std::string_view kind) {
  if (const std::string_view own = object.get("kind").text(); !own.empty()) kind = own;
  constexpr std::string_view list = "List";
  if (!kind.ends_with(list)) return kind == "Node";
  const std::vector<Node> items = object.get("items").items();
  return !items.empty() && std::ranges::all_of(items, [&](Node item) {
    return are_nodes(item, kind.substr(0, kind.size() - list.size()));
  });
}

}  // namespace

ScopeModel build_scope_model(const SourceSet& sources, const Settings& settings,
                             std::vector<const Document*> documents, std::vector<NodePool> shared,
                             unsigned jobs, const FactStore* facts) {
  ScopeModel model;
  model.sources = &sources;
  model.settings = &settings;
  std::vector<const Document*> unbuilt = documents;
  std::erase_if(unbuilt, [&](const Document* document) {
    return settings.built_files.contains(document->file);
  });
  kustomize::Applied applied = kustomize::apply(sources, unbuilt, settings.kustomizations);
  model.written = std::move(documents);
  model.documents = std::move(applied.whole);
  model.made = std::move(applied.made);
  auto contents = parallel_map(model.documents.size(), jobs, [&](std::size_t i) {
    const Document& document = *model.documents[i];
    const DocumentFacts* const known = facts == nullptr ? nullptr : facts->find(document);
    return known == nullptr ? read_facts(document, settings.kinds.get()) : *known;
  });
  std::size_t object_count = 0;
  std::size_t workload_count = 0;
  for (const auto& [objects, workloads] : contents) {
    object_count += objects.size();
    workload_count += workloads.size();
  }
  model.objects.reserve(object_count);
  model.workloads.reserve(workload_count);
  for (auto& [objects, workloads] : contents) {
    std::ranges::move(objects, std::back_inserter(model.objects));
    std::ranges::move(workloads, std::back_inserter(model.workloads));
  }
  merge_runtimes(model.workloads);
  add_workflow_defaults(model.documents, model.workloads);
  model.runtime_classes = find_runtime_classes(model.objects);
  model.limit_ranges = find_limit_ranges(model.objects);
  for (Workload& workload : model.workloads) {
    add_runtime_class(model.runtime_classes, workload);
    if (!model.limit_ranges.empty()) add_limit_defaults(model.limit_ranges, workload);
  }
  for (const Document* document : applied.uncertain) {
    std::ranges::move(find_objects(root(*document)), std::back_inserter(model.objects));
  }
  model.cluster = read_cluster(model.documents, model.objects, settings, std::move(shared));
  add_fragments(applied.fragments, model);
  add_configurations(model, jobs);
  const bool steers = steers_any_pod(model.fragments);
  std::ranges::copy_if(
      applied.unmerged, std::back_inserter(model.unmerged),
      [&](const kustomize::Unmerged& each) { return steers || each.is_oversized; });
  std::ranges::move(find_chart_pods(model.documents), std::back_inserter(model.fragments));
  std::ranges::move(find_resource_parts(model.objects, settings.kinds.get()),
                    std::back_inserter(model.fragments));
  return model;
}

bool holds_only_nodes(const Document& document) {
  return document.errors.empty() && are_nodes(root(document), {});
}

}  // namespace gpulint

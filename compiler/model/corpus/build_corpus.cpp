#include "compiler/model/corpus/build_corpus.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/read_cluster.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/completed_pods.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/kinds/resource_parts.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/kustomize/apply.h"

namespace gpulint {
namespace {

/// Runs last, because parts are not objects.
void add_fragments(const std::vector<const Document*>& documents, Corpus& corpus) {
  for (const Document* document : documents) {
    corpus.documents.push_back(document);
    std::vector<Workload> found = find_pod_fragments(find_objects(root(*document)));
    std::ranges::move(found, std::back_inserter(corpus.fragments));
  }
}

/// Documents that their form identifies, independent of others.
void add_configurations(Corpus& corpus, unsigned jobs) {
  auto uses = parallel_map(corpus.documents.size(), jobs, [&](std::size_t i) {
    const Document& document = *corpus.documents[i];
    return find_chart_uses(document, corpus.sources->file(document.file).path());
  });
  for (auto& found : uses) std::ranges::move(found, std::back_inserter(corpus.chart_uses));
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty() || !is_mig_config(*document)) continue;
    corpus.mig_configs.push_back(read_mig_config(root(*document)));
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

}  // namespace

Corpus build_corpus(const SourceSet& sources, const Settings& settings,
                    std::vector<const Document*> documents, std::vector<NodePool> shared,
                    unsigned jobs, const FactStore* facts) {
  Corpus corpus;
  corpus.sources = &sources;
  corpus.settings = &settings;
  kustomize::Applied applied = kustomize::apply(sources, documents, settings.kustomizations);
  corpus.written = std::move(documents);
  corpus.documents = std::move(applied.whole);
  corpus.made = std::move(applied.made);
  auto contents = parallel_map(corpus.documents.size(), jobs, [&](std::size_t i) {
    const Document& document = *corpus.documents[i];
    const DocumentFacts* const known = facts == nullptr ? nullptr : facts->find(document);
    return known == nullptr ? read_facts(document, settings.kinds.get()) : *known;
  });
  std::size_t object_count = 0;
  std::size_t workload_count = 0;
  for (const auto& [objects, workloads] : contents) {
    object_count += objects.size();
    workload_count += workloads.size();
  }
  corpus.objects.reserve(object_count);
  corpus.workloads.reserve(workload_count);
  for (auto& [objects, workloads] : contents) {
    std::ranges::move(objects, std::back_inserter(corpus.objects));
    std::ranges::move(workloads, std::back_inserter(corpus.workloads));
  }
  merge_runtimes(corpus.workloads);
  add_workflow_defaults(corpus.documents, corpus.workloads);
  corpus.runtime_classes = find_runtime_classes(corpus.objects);
  for (Workload& workload : corpus.workloads) {
    add_runtime_class(corpus.runtime_classes, workload);
  }
  for (const Document* document : applied.uncertain) {
    std::ranges::move(find_objects(root(*document)), std::back_inserter(corpus.objects));
  }
  corpus.cluster = read_cluster(corpus.documents, corpus.objects, settings, std::move(shared));
  add_fragments(applied.fragments, corpus);
  add_configurations(corpus, jobs);
  const bool steers = steers_any_pod(corpus.fragments);
  std::ranges::copy_if(
      applied.unmerged, std::back_inserter(corpus.unmerged),
      [&](const kustomize::Unmerged& each) { return steers || each.is_oversized; });
  std::ranges::move(find_chart_pods(corpus.documents), std::back_inserter(corpus.fragments));
  std::ranges::move(find_resource_parts(corpus.objects, settings.kinds.get()),
                    std::back_inserter(corpus.fragments));
  return corpus;
}

bool holds_only_nodes(const Document& document) {
  if (!document.errors.empty()) return false;
  const std::vector<KubernetesObject> objects = find_objects(root(document));
  return !objects.empty() && std::ranges::all_of(objects, [](const KubernetesObject& object) {
    return object.kind.equals("Node");
  });
}

}  // namespace gpulint

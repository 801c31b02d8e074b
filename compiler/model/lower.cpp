#include "compiler/model/lower.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/ir/node.h"
#include "compiler/model/pod_templates.h"
#include "compiler/model/read_cluster.h"

namespace gpulint {
namespace {

struct Contents {
  std::vector<KubernetesObject> objects;
  std::vector<Workload> workloads;
};

[[nodiscard]] Contents find_contents(const Document& document) {
  if (!document.errors.empty()) return {};  // what is half read is not judged
  std::vector<KubernetesObject> objects = find_objects(root(document));
  std::vector<Workload> workloads = find_pod_templates(objects);
  return {std::move(objects), std::move(workloads)};
}

}  // namespace

Corpus lower(const SourceSet& sources, const Settings& settings,
             std::vector<const Document*> documents, std::vector<NodePool> shared, unsigned jobs) {
  Corpus corpus;
  corpus.sources = &sources;
  corpus.settings = &settings;
  corpus.documents = std::move(documents);
  auto contents = parallel_map(corpus.documents.size(), jobs,
                               [&](std::size_t i) { return find_contents(*corpus.documents[i]); });
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
  corpus.cluster = read_cluster(corpus.documents, corpus.objects, settings, std::move(shared));
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

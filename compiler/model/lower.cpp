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
  return {find_objects(root(document)), find_pod_templates(root(document))};
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
  for (auto& [objects, workloads] : contents) {
    std::ranges::move(objects, std::back_inserter(corpus.objects));
    std::ranges::move(workloads, std::back_inserter(corpus.workloads));
  }
  corpus.cluster = read_cluster(corpus.documents, settings, std::move(shared));
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

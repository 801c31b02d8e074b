#include "compiler/model/lower.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/ir/node.h"
#include "compiler/model/pod_templates.h"
#include "compiler/model/read_cluster.h"

namespace gpulint {

Corpus lower(const SourceSet& sources, const Settings& settings,
             std::vector<const Document*> documents,
             std::span<const Document* const> node_documents) {
  Corpus corpus;
  corpus.sources = &sources;
  corpus.settings = &settings;
  corpus.documents = std::move(documents);
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;  // what is half read is not judged
    std::ranges::move(find_objects(root(*document)), std::back_inserter(corpus.objects));
    std::ranges::move(find_pod_templates(root(*document)), std::back_inserter(corpus.workloads));
  }
  std::vector<const Document*> all = corpus.documents;
  all.insert(all.end(), node_documents.begin(), node_documents.end());
  corpus.cluster = read_cluster(all, settings);
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

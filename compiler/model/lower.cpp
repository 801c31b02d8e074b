#include "compiler/model/lower.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/ir/node.h"
#include "compiler/model/pod_templates.h"
#include "compiler/model/read_cluster.h"

namespace gpulint {

Corpus lower(const SourceSet& sources, const Settings& settings,
             std::vector<const Document*> documents) {
  Corpus corpus;
  corpus.sources = &sources;
  corpus.settings = &settings;
  corpus.documents = std::move(documents);
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;  // what is half read is not judged
    std::ranges::move(find_objects(root(*document)), std::back_inserter(corpus.objects));
    std::ranges::move(find_pod_templates(root(*document)), std::back_inserter(corpus.workloads));
  }
  corpus.cluster = read_cluster(corpus.documents, settings);
  return corpus;
}

}  // namespace gpulint

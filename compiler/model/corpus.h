#pragma once

#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint {

namespace flyte {
struct Analysis;
}
struct ApiReview;  // schedule/api/api_review.h
struct PlacementAnalysis;  // schedule/placement_analysis.h

/// Everything a rule may read about one scope (files that belong together): const once made.
struct Corpus {
  const SourceSet* sources = nullptr;
  const Settings* settings = nullptr;
  std::vector<const Document*>
      documents;  ///< In file and document order, embedded ones after hosts.
  /// Of the readable documents; items of Lists one by one.
  std::vector<KubernetesObject> objects;
  std::vector<Workload> workloads;  ///< Given in manifests.
  std::vector<Workload> compiled;   ///< The pods that Flyte makes of the tasks, for rules only.
  Cluster cluster;
  const flyte::Analysis* flyte = nullptr;  ///< compiler/flyte/analysis.h; never null for rules.
  const ApiReview* api = nullptr;          ///< What the API server refuses; never null for rules.
  /// Why workloads fit no node; null where nobody has asked (tests of single rules).
  const PlacementAnalysis* placement = nullptr;
};

}  // namespace gpulint

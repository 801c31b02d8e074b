#pragma once

// model: what documents mean. Documents → Corpus (lower.h) is a pure function. A value that a
// template hides is opaque, never guessed. It does not know scheduling, rules or files on disk; the
// pointers of Corpus to later results are for rules.

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/cluster.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/kustomize/unmerged.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/model/objects.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint {

namespace flyte {
struct Analysis;
}
struct ApiReview;          // api_validation/api_review.h
struct PlacementAnalysis;  // schedule/placement_analysis.h

/// Everything a rule may read about one scope (files that belong together): const once made.
struct Corpus {
  const SourceSet* sources = nullptr;
  const Settings* settings = nullptr;
  /// In file and document order, embedded ones after hosts. What kustomize puts together stands as
  /// it is applied: one document in place of a base and its patches. Patches without their base are
  /// there, too, as parts of objects.
  std::vector<const Document*> documents;
  /// The same as they stand in the files, for what is judged by its text alone.
  std::vector<const Document*> written;
  /// Of the readable documents; items of Lists one by one. Patches are none.
  std::vector<KubernetesObject> objects;
  RuntimeClasses runtime_classes;   ///< Of the objects.
  std::vector<Workload> workloads;  ///< Given in manifests.
  /// Parts of pods that patches write to what is not known whole, or that values of a chart say of
  /// its pods: what is missing may stand elsewhere.
  std::vector<Workload> fragments;
  std::vector<kustomize::Unmerged> unmerged;          ///< Kustomizations with such, or too large.
  std::vector<std::unique_ptr<const Document>> made;  ///< What kustomize puts together.
  std::vector<Workload> compiled;    ///< The pods that Flyte makes of the tasks, for rules only.
  std::vector<ChartUse> chart_uses;  ///< Values of known charts, as documents stand.
  std::vector<MigConfigFile> mig_configs;  ///< Configurations of MIG manager, likewise.
  Cluster cluster;
  const flyte::Analysis* flyte = nullptr;  ///< compiler/flyte/analysis.h; never null for rules.
  const ApiReview* api = nullptr;          ///< What the API server refuses; never null for rules.
  /// Why workloads fit no node; null where nobody has asked (tests of single rules).
  const PlacementAnalysis* placement = nullptr;
};

}  // namespace gpulint

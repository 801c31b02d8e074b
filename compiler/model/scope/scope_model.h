#pragma once

// model: what documents mean. Documents → ScopeModel is a pure function. A value that a template
// hides is opaque, never guessed. It does not know scheduling, rules or files on disk.

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/kinds/namespace_limits.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/kustomize/unmerged.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// What the documents of one scope (files that belong together) mean; const once built.
struct ScopeModel {
  const SourceSet* sources = nullptr;
  const Settings* settings = nullptr;
  /// In file and document order, embedded documents after their hosts. A kustomization's result is
  /// one document in place of a base and its patches. Patches without their base are also there, as
  /// parts of objects.
  std::vector<const Document*> documents;
  /// The same documents as written in the files, for rules that check the text alone.
  std::vector<const Document*> written;
  /// The objects of readable documents; items of Lists one by one. Without patches.
  std::vector<KubernetesObject> objects;
  RuntimeClasses runtime_classes;   ///< From the objects.
  LimitObjects limit_ranges;        ///< The LimitRanges among the objects.
  std::vector<Workload> workloads;  ///< From manifests.
  /// Parts of pods, from patches to incomplete objects and from values of charts. What is missing
  /// in them may be elsewhere.
  std::vector<Workload> fragments;
  std::vector<kustomize::Unmerged> unmerged;          ///< Kustomizations with such parts, or too
                                                      ///< large.
  std::vector<std::unique_ptr<const Document>> made;  ///< Documents that kustomize builds.
  std::vector<Workload> compiled;    ///< The pods that Flyte creates for the tasks; for rules only.
  std::vector<ChartUse> chart_uses;  ///< Values of known charts, in the order of documents.
  std::vector<MigConfigFile> mig_configs;  ///< Configurations of MIG manager, in the same order.
  Cluster cluster;
};

}  // namespace gpulint

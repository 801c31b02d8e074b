#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/project/input_files.h"
#include "compiler/project/joins.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/release_values.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Files to check together, and their settings.
struct ScopePlan {
  std::string name;
  const ScopeConfig* config = nullptr;  ///< The part of gpulint.yaml for it; never null.
  std::vector<FileId> files;            ///< In path order, including files with nodes.
  bool runs_on_shared_nodes = false;
  /// Files with nodes that were joined only because of their paths.
  std::vector<FileId> joined_nodes = {};
  /// Files with objects that were joined only because of their paths.
  std::vector<FileId> joined_objects = {};
  Settings settings;
  /// Tasks are compiled with Flyte's defaults if no file configures Flyte.
  bool may_run_on_defaults = false;
};

struct ScopePlans {
  std::vector<ScopePlan> scopes;
  /// Files with nodes that several scopes share.
  std::vector<FileId> shared_nodes;
  std::vector<NotCompared> not_compared;  ///< Files not compared with nodes of the same walk.
};

/// Reads the content of a file in steps. `values` is called only if there are nodes, `needs` only
/// if there are objects.
struct ContentReader {
  std::function<FileContent(FileId)> content;
  std::function<FlyteChart(FileId)> values;
  std::function<Needs(FileId)> needs;
  ReleaseReader releases;
};

/// Groups the files into scopes (docs/explanation/scopes.md). Each of these is one scope:
/// - files named on the command line, unless `scopes` of gpulint.yaml claim them;
/// - files that one entry of `scopes` claims by `paths`, `nodes`, `workloads` or `flyte.values`;
/// - files that the top level of gpulint.yaml claims by `nodes`, `workloads` or `flyte.values`;
/// - walked files with the same nearest nodes in the tree (plan_joins());
/// - the files that a topmost kustomization names, directly or through others;
/// - the files that a chart rendered;
/// - a release (HelmRelease, Application …) and the files and ConfigMaps with its values;
/// - every other walked file that is not blank.
/// A scope also has the files that its kustomizations name, and the kustomizations of its patches.
/// If the top level of gpulint.yaml names nodes but no workloads or values, each walked file runs
/// on these nodes.
[[nodiscard]] ScopePlans plan_scopes(const Config& config, const Request& request,
                                     const SourceSet& sources, const std::vector<InputFile>& inputs,
                                     const KustomizeFiles& kustomize_files, const FileSystem& files,
                                     const ContentReader& read_content);

}  // namespace gpulint

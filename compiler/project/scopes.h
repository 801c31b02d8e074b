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

/// Files to be judged together, and under which settings.
struct ScopePlan {
  std::string name;
  const ScopeConfig* config = nullptr;  ///< What gpulint.yaml says of it; never null.
  std::vector<FileId> files;            ///< In path order, node files included.
  bool runs_on_shared_nodes = false;
  /// That the other files are held against by their place alone.
  std::vector<FileId> joined_nodes = {};
  /// With objects that others of the files need, likewise.
  std::vector<FileId> joined_objects = {};
  Settings settings;
  /// Its tasks, where nothing says how Flyte is configured.
  bool may_run_on_defaults = false;
};

struct ScopePlans {
  std::vector<ScopePlan> scopes;
  /// Files with nodes that many scopes hold their workloads against: of no use to a scope without.
  std::vector<FileId> shared_nodes;
  std::vector<NotCompared>
      apart;  ///< Walked files that are not held against nodes of the same walk.
};

/// Reads what a file holds, in steps: values are asked for only where there are nodes, needs where
/// there are objects.
struct ContentReader {
  std::function<FileContent(FileId)> content;
  std::function<FlyteChart(FileId)> values;
  std::function<Needs(FileId)> needs;
  ReleaseReader releases;
};

/// Which files belong together (docs/explanation/scopes.md):
/// - files named on the command line, unless `scopes` of gpulint.yaml claim them;
/// - the files that one of its `scopes` claims by `paths`, `nodes`, `workloads` or `flyte.values`;
/// - the files that its top level claims by `nodes`, `workloads` or `flyte.values`.
/// - walked files and the nodes nearest to them in the tree, as plan_joins() has them.
/// - with them the files that a kustomization among them names, and the kustomization of a patch;
/// - the files that a topmost kustomization names, directly or through others;
/// - a release (HelmRelease, Application …) and the files and ConfigMaps that it takes values from.
/// Every other walked file stands alone, unless it is blank. The top level's nodes belong to it all
/// the same where gpulint.yaml does not say which workloads (for manifests and values alike) run on
/// them.
[[nodiscard]] ScopePlans plan_scopes(const Config& config, const Request& request,
                                     const SourceSet& sources, const std::vector<InputFile>& inputs,
                                     const KustomizeFiles& kustomize_files, const FileSystem& files,
                                     const ContentReader& read_content);

}  // namespace gpulint

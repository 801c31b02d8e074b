#pragma once

#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/driver/options.h"
#include "compiler/engine/config.h"

namespace gpulint {

/// How a file came among the inputs.
enum class InputOrigin : std::uint8_t {
  named,      ///< On the command line, standard input included.
  walked,     ///< Found in a folder.
  node_list,  ///< By --nodes.
  layer,      ///< By --values.
  declared,   ///< Only by gpulint.yaml, which says that it belongs to a scope.
};

struct InputFile {
  FileId id = 0;
  InputOrigin origin = InputOrigin::named;
};

/// Files to be judged together, and under which settings.
struct ScopePlan {
  std::string name;
  std::vector<FileId> files;  ///< In path order, node files included.
  bool runs_on_shared_nodes = false;
  Settings settings;
};

struct ScopePlans {
  std::vector<ScopePlan> scopes;
  /// Files with nodes that many scopes hold their workloads against: of no use to a scope without.
  std::vector<FileId> shared_nodes;
};

/// Which files belong together (docs/scopes.md):
/// - files named on the command line, unless `scopes` of gpulint.yaml claim them;
/// - the files that one of its `scopes` claims by `paths`, `nodes`, `workloads` or `flyte.values`;
/// - the files that its top level claims by `nodes`, `workloads` or `flyte.values`.
/// Every other walked file stands alone. The top level's nodes belong to it all the same where
/// gpulint.yaml does not say which workloads (for manifests and values alike) run on them.
[[nodiscard]] ScopePlans plan_scopes(const Config& config, const Options& options,
                                     const SourceSet& sources,
                                     const std::vector<InputFile>& inputs);

/// A path without `.` and needless `..` components, as SourceFile and settings have it.
[[nodiscard]] std::string normal_path(const std::string& path);

/// The path as globs of gpulint.yaml see it: relative to the folder of that file.
[[nodiscard]] std::string path_in_config(const Config& config, const std::string& path);

}  // namespace gpulint

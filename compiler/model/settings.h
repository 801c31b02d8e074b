#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/facts/provider.h"
#include "compiler/model/sdk_remark.h"

namespace gpulint {

enum class FlyteVersion : std::uint8_t { unknown, v1, v2 };
enum class FlyteChart : std::uint8_t { unknown, core, binary };

/// The user's settings for the cluster and the release, from gpulint.yaml and flags; all fields are
/// optional.
struct Settings {
  FlyteVersion flyte_version = FlyteVersion::unknown;
  FlyteChart flyte_chart = FlyteChart::unknown;
  Provider provider = Provider::unknown;
  std::optional<std::vector<std::string>> admission_plugins;  ///< nullopt: not declared.
  std::string kubernetes_version;                             ///< `1.31`; empty: not declared.
  std::string mig_strategy;                                   ///< none, single, mixed; empty.
  std::string runtime_class;                                  ///< Needed by GPU pods; empty.
  /// Paths of the values layers of one release, in order; empty: each values file is separate.
  std::vector<std::string> values_layers;
  /// `kinds` of gpulint.yaml; null if absent.
  std::shared_ptr<const DeclaredKinds> kinds;
  Node node_pools;                      ///< `nodePools` of gpulint.yaml; null if absent.
  bool lists_workloads = false;         ///< `workloads` of gpulint.yaml lists the manifests.
  std::vector<Node> tasks;              ///< Task entries of gpulint.yaml and --tasks.
  std::vector<std::string> task_specs;  ///< From --task, as written.
  std::vector<SdkRemark> sdk_remarks;   ///< About tasks in Python.
  std::size_t kustomizations = 0;       ///< In the whole run: they share a limit.
  std::set<FileId> built_files;         ///< Their objects are in the output of kustomize.
  /// Files with the nodes of one cluster, few: for commands that messages print.
  std::vector<std::string> node_files;
  /// Also report what is deprecated in objects without GPUs.
  bool looks_beyond_gpus = false;
};

}  // namespace gpulint

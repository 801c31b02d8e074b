#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/ternary.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::why {

/// What requires a term.
struct Origin {
  enum class Kind : std::uint8_t {
    manifest,
    configuration,  ///< A line of the configuration or values of Flyte.
    flyte_default,  ///< Flyte's default of a key that is not configured.
    task,           ///< The task's own declaration.
  };
  Kind kind = Kind::manifest;
  std::string
      key;    ///< `plugins.k8s.gpu-device-node-label`, `task.requests.gpu`; empty for manifests.
  Node node;  ///< Null for defaults and for tasks of the command line.
  /// The label's key is configured; its value comes from the task's accelerator.
  bool is_value_of_accelerator = false;
};

/// One requirement that the nodes of a group do not meet.
struct FailedTerm {
  Term term;
  Origin origin;
  std::string remark;        ///< What explains it on the nodes; may be empty.
  bool is_reserved = false;  ///< Karpenter rejects pods that select this label.
  /// Labels and files cannot change it: the nodes have no device, or another one.
  bool is_fixed = false;
  bool is_unlisted = false;  ///< A resource that the Node's `status` does not list.
};

/// Nodes with equal obstacles.
struct Group {
  std::vector<const NodePool*> pools;
  std::vector<FailedTerm> terms;  ///< In the order in which a person would remove them.
  bool is_open = false;           ///< It may fit; the terms are unknown.
  /// For a Karpenter pool that may fit, without terms: its machines, which offer enough.
  std::string machines;
  std::string unknown;        ///< For other groups without terms: what is unknown; a clause.
  bool lacks_device = false;  ///< Nodes without accelerators.
};

/// A suggestion other than a change of the files. Each was tried by placing.
struct Way {
  std::string title;                      ///< Imperative, lower case, no period.
  std::vector<std::string> commands;      ///< Ready to run; may be empty.
  std::string remark;                     ///< Cost, or what else is needed; may be empty.
  std::vector<std::string> amounts = {};  ///< Amounts that the title joins: "less than 16 `cpu`".
};

/// A change of the files with which the workload fits.
struct FileChange {
  struct File {
    std::string name;  ///< Path for patches.
    std::string before;
    std::string after;
    bool is_rendered = false;  ///< Rendered by Helm: change its source instead.
  };
  std::string title;                  ///< Imperative; several are joined with `; `.
  std::map<std::string, File> files;  ///< By path.
  bool is_certain = true;             ///< It certainly fits then; otherwise the verdict is unknown.
};

/// Why one workload or task fits or does not fit.
struct Story {
  std::string workload;  ///< `Pod/default/train`.
  std::string task;      ///< Name of the task; empty for other workloads.
  std::string source;    ///< For a task: the first file of its Flyte configuration.
  bool is_assumed = false;
  Ternary fits = Ternary::no;
  std::vector<const NodePool*> fitting;  ///< The nodes it fits.
  std::vector<std::string> refusals;     ///< Errors of the API server or Flyte.
  std::vector<Obstacle> obstacles;       ///< Obstacles before it reaches nodes.
  Ternary fits_nodes = Ternary::no;      ///< `fits` without regard to `obstacles`.
  std::vector<Group> groups;             ///< Nearest first; groups without accelerators last.
  const NodePool* nearest = nullptr;     ///< Null if it fits, or if there are no nodes.
  std::optional<FileChange> change;
  std::vector<Way> ways;    ///< Smallest change first.
  std::string cannot;       ///< Why no change of files helps; empty if one does, or if it fits.
  bool is_searched = true;  ///< All changes were tried.
  std::size_t further = 0;  ///< Number of nodes that keep_shown() left out.
};

}  // namespace gpulint::why

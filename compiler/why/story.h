#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/ternary.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::why {

/// Who asks for what a term demands.
struct Origin {
  enum class Kind : std::uint8_t {
    manifest,
    configuration,  ///< A line of Flyte's configuration or values.
    flyte_default,  ///< What Flyte does where nothing is configured.
    task,           ///< The task's own declaration.
  };
  Kind kind = Kind::manifest;
  std::string
      key;    ///< `plugins.k8s.gpu-device-node-label`, `task.requests.gpu`; of manifests empty.
  Node node;  ///< Nothing for defaults and tasks of the command line.
  /// The key is configured and the value is what the task's accelerator asks for.
  bool is_value_of_accelerator = false;
};

/// One demand that the nodes of a group do not meet.
struct FailedTerm {
  Term term;
  Origin origin;
  std::string remark;        ///< What on the nodes explains it; may be empty.
  bool is_reserved = false;  ///< Karpenter rejects pods that select this label.
  /// Neither labels nor files can change it: the nodes have no such device, or another one.
  bool is_fixed = false;
  bool is_unlisted = false;  ///< A resource that a Node with amounts does not list.
};

/// Nodes that fail alike.
struct Group {
  std::vector<const NodePool*> pools;
  std::vector<FailedTerm> terms;  ///< In the order in which a person would remove them.
  bool is_open = false;           ///< It may fit; the terms are what is not known.
  /// Of an open pool of Karpenter's without terms: its machines, which offer enough.
  std::string machines;
  std::string unknown;        ///< Of another open group without terms: what is not known; a clause.
  bool lacks_device = false;  ///< Nodes without any accelerators.
};

/// A way to make it fit that is none of changing the files at hand. Each was tried by placing.
struct Way {
  std::string title;                  ///< Imperative, lower case, no period.
  std::vector<std::string> commands;  ///< What does it, ready to run; may be empty.
  std::string remark;                 ///< What it costs or takes beside; may be empty.
};

/// A change of the files at hand after which the workload fits.
struct FileChange {
  struct File {
    std::string name;  ///< In patches.
    std::string before;
    std::string after;
    bool is_rendered = false;  ///< Made by a tool: the change belongs into what it was made of.
  };
  std::string title;                  ///< Imperative; several joined by «; ».
  std::map<std::string, File> files;  ///< By path.
  bool is_certain = true;  ///< It surely fits then; else it may, where pools leave it open.
};

/// Why one workload or task runs where it does, or nowhere.
struct Story {
  std::string workload;  ///< `Pod/default/train`.
  std::string task;      ///< Its name where it is a task.
  std::string source;    ///< Of a task, the first file of the configuration that makes its pod.
  bool is_assumed = false;
  Ternary fits = Ternary::no;
  std::vector<const NodePool*> fitting;  ///< Where it fits.
  std::vector<std::string> refusals;     ///< What the API server or Flyte says against it.
  std::vector<Obstacle> obstacles;       ///< What stops it before the nodes.
  Ternary fits_nodes = Ternary::no;      ///< `fits`, were there no obstacles.
  std::vector<Group> groups;             ///< The nearest first; those without devices last.
  const NodePool* nearest = nullptr;     ///< Null where it fits, or nothing is known.
  std::optional<FileChange> change;
  std::vector<Way> ways;    ///< Likelier ones first.
  std::string cannot;       ///< Why no file can; empty where one can or it fits.
  bool is_searched = true;  ///< All changes that there are to try were tried.
  std::size_t further = 0;  ///< Nodes of groups that keep_shown() left out.
};

}  // namespace gpulint::why

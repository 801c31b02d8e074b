#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// What the inputs are read for. It decides which files belong together and what is worked out.
enum class Purpose : std::uint8_t {
  check,     ///< Rules run: `check`, `fix`.
  place,     ///< Workloads on nodes.
  generate,  ///< Values for nodes and tasks: a folder's files are one cluster's.
  show,      ///< What was read itself: `compile`, `nodes` and the like.
};

/// What a run reads and how it is judged: the command line without what it prints and where.
/// Everything the user left unsaid has its default.
struct Request {
  Purpose purpose = Purpose::check;
  std::vector<std::string> paths;  ///< Files, folders, `-`. None: the current folder.

  std::string config;  ///< gpulint.yaml. Empty: search upward from the first path.
  bool no_config = false;
  std::string stdin_filename;  ///< Empty: none was given.
  bool force_exclude = false;  ///< Named files are left out, too, where gpulint.yaml says so.
  bool allow_outside = false;  ///< gpulint.yaml and links may lead out of the repository.
  bool no_join = false;        ///< Files of a walk stand alone unless gpulint.yaml joins them.
  bool in_tree = false;        ///< Named files are judged as a walk of the folder would judge them.
  bool reads_around = true;    ///< Named folders are read in the context of their repository.
  std::vector<std::string> outputs;  ///< Files that the run writes.
  std::string write_baseline;        ///< Where findings are put down as known; one of `outputs`.
  std::string baseline;              ///< The file of findings that are known; empty: none.
  std::string changed_since;         ///< Findings in files that differ from this git revision.

  std::vector<std::string> nodes;   ///< Files of nodes for everything that is read.
  std::vector<std::string> values;  ///< Layers of one release, in order.
  Provider provider = Provider::unknown;
  FlyteVersion flyte_version = FlyteVersion::unknown;
  FlyteChart chart = FlyteChart::unknown;
  std::string tasks_file;
  std::vector<std::string> tasks;  ///< `--task` specs, as written.
  std::string workload;            ///< why: KIND/NAMESPACE/NAME; empty: all that fit nowhere.

  std::vector<std::string> select;  ///< Rules or categories. Empty: the default ones.
  std::vector<std::string> ignore;
  bool preview = false;           ///< Whether rules in preview run, too.
  bool all_objects = false;       ///< Deprecated words are told of objects without GPUs, too.
  bool unsafe_fixes = false;      ///< All fixes are carried out, not only the safe ones.
  bool shows_every_node = false;  ///< Nodes are shown one by one, not only held against workloads.
  bool groups_pods = false;  ///< Pods that one owner made of one template stand for each other.
  unsigned jobs = 0;         ///< Threads. 0: as many as there are processors.
};

/// What standard input is called in findings: --stdin-filename, or `<stdin>`.
[[nodiscard]] inline std::string stdin_name(const Request& request) {
  return request.stdin_filename.empty() ? "<stdin>" : request.stdin_filename;
}

}  // namespace gpulint

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

namespace render {
class Renderer;
}  // namespace render

/// The purpose of a run. It decides which files belong together and what is analyzed.
enum class Purpose : std::uint8_t {
  check,     ///< Run rules: `check`, `fix`.
  place,     ///< Place workloads on nodes: `place`, `why`.
  generate,  ///< Values for nodes and tasks; the files of a folder are one cluster.
  show,      ///< Show what was read: `compile`, `nodes` and others.
};

/// The options that decide what a run reads and checks, without options about the output. Options
/// that the user did not set have their defaults.
struct Request {
  Purpose purpose = Purpose::check;
  std::vector<std::string> paths;  ///< Files, folders, `-`. None: the current folder.

  std::string config;  ///< gpulint.yaml. Empty: search upward from the first path.
  bool no_config = false;
  std::string stdin_filename;  ///< Empty: not set.
  bool force_exclude = false;  ///< `exclude` of gpulint.yaml also applies to named files.
  bool allow_outside = false;  ///< gpulint.yaml and links may lead out of the repository.
  bool no_join = false;        ///< Walked files are checked alone unless gpulint.yaml joins them.
  bool in_tree = false;        ///< Named files are checked as in a check of the current folder.
  bool reads_around = true;    ///< Named folders are read in the context of their repository.
  std::vector<std::string> outputs;  ///< Files that the run writes.
  std::string write_baseline;        ///< The new baseline; one of `outputs`.
  std::string baseline;              ///< The baseline to apply; empty: none.
  std::string changed_since;         ///< Only findings in files that differ from this git revision.

  std::vector<std::string> nodes;   ///< Files with nodes for all other files.
  std::vector<std::string> values;  ///< Layers of one release, in order.
  Provider provider = Provider::unknown;
  FlyteVersion flyte_version = FlyteVersion::unknown;
  FlyteChart chart = FlyteChart::unknown;
  std::string tasks_file;
  std::vector<std::string> tasks;  ///< `--task` options, as written.
  std::string workload;            ///< why: KIND/NAMESPACE/NAME; empty: all that fit no node.

  std::vector<std::string> select;  ///< Rules or categories. Empty: the default ones.
  std::vector<std::string> ignore;
  bool preview = false;           ///< Also run the rules in preview.
  bool all_objects = false;       ///< Also report deprecated fields of objects without GPUs.
  bool unsafe_fixes = false;      ///< Apply all fixes, not only the safe ones.
  bool shows_every_node = false;  ///< Show each node, instead of one node of each class.
  bool groups_pods = false;       ///< Of pods with one owner and one template only one is read.
  /// Renders charts and kustomizations; null: nothing is rendered, and no program is started.
  render::Renderer* renderer = nullptr;
  std::string kube_version;     ///< For charts; empty: that of gpulint.yaml, else 1.34.0.
  std::string chart_namespace;  ///< For charts; empty: `default`.
  std::string release;          ///< The name of charts' release; empty: `release-name`.
  unsigned jobs = 0;            ///< Threads. 0: as many as there are processors.
};

/// The name of standard input in findings: --stdin-filename, or `<stdin>`.
[[nodiscard]] inline std::string stdin_name(const Request& request) {
  return request.stdin_filename.empty() ? "<stdin>" : request.stdin_filename;
}

}  // namespace gpulint

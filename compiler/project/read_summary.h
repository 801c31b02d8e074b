#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

struct Project;

/// Files that were checked together although the user did not name them together.
struct JoinedFiles {
  std::vector<std::string> files;
  std::string because;
};

/// A named file without anything that gpulint reads, or the folder of a chart or kustomization that
/// cannot be rendered.
struct UnreadFile {
  std::string file;
  std::string why;           ///< What it looks like and what to do; may be empty.
  std::string_view trouble;  ///< Of a folder: what failed.
};

/// What gpulint read in the inputs.
struct ReadSummary {
  std::size_t nodes = 0;
  std::size_t pools = 0;     ///< Declared node pools.
  std::size_t releases = 0;  ///< Flyte releases.
  std::size_t workloads = 0;
  std::size_t tasks = 0;                   ///< Declared tasks, counted for each release.
  std::size_t assumed_tasks = 0;           ///< If none is declared.
  std::vector<std::string> release_files;  ///< Files with the values of the releases.
  std::vector<std::string> waiting;        ///< Pending pods of events; an empty name is unknown.
  std::size_t skipped = 0;                 ///< Files without anything about GPUs.
  bool is_nothing = false;                 ///< No input contains anything that gpulint reads.
  std::vector<UnreadFile> not_read;
  std::vector<JoinedFiles> joins;
};

/// Counts what gpulint read in the inputs, each object once.
[[nodiscard]] ReadSummary summarize_reading(const Project& project);

/// "read: 3 nodes, 1 Flyte release (values.yaml), 2 workloads, 4 tasks (assumed)".
[[nodiscard]] std::string describe(const ReadSummary& read);

/// Sets the help of syntax errors in files that are not YAML: what the file looks like, what to do.
void explain_other_languages(const Project& project, std::vector<Diagnostic>& findings);

/// "notes.txt: contains nothing that gpulint reads: it looks like …", ready to print.
[[nodiscard]] std::string describe(const UnreadFile& file);

}  // namespace gpulint

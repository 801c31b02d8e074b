#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

struct Project;

/// Files that were judged together although nobody had said so.
struct JoinedFiles {
  std::vector<std::string> files;
  std::string because;
};

/// A file that was named and in which nothing was understood.
struct UnreadFile {
  std::string file;
  std::string why;  ///< What it looks like, and what would help; may be empty.
};

/// What was understood.
struct ReadSummary {
  std::size_t nodes = 0;
  std::size_t pools = 0;     ///< Declared ones.
  std::size_t releases = 0;  ///< Of Flyte.
  std::size_t workloads = 0;
  std::size_t tasks = 0;                   ///< Declared ones, by release.
  std::size_t assumed_tasks = 0;           ///< Where none is declared.
  std::vector<std::string> release_files;  ///< That hold the releases' values.
  std::vector<std::string> waiting;        ///< Pods that wait, as events tell; empty: not named.
  std::size_t skipped = 0;                 ///< Files in which nothing concerns GPUs.
  bool is_nothing = false;                 ///< No input holds anything that gpulint reads.
  std::vector<UnreadFile> not_read;
  std::vector<JoinedFiles> joins;
};

/// What was understood of the inputs, each object once, and of which named files nothing.
[[nodiscard]] ReadSummary summarize_reading(const Project& project);

/// «read: 3 nodes, 1 Flyte release (values.yaml), 2 workloads, 4 tasks (assumed)».
[[nodiscard]] std::string describe(const ReadSummary& read);

/// Says of findings of syntax in what is no YAML at all what it looks like, and what would help.
void explain_other_languages(const Project& project, std::vector<Diagnostic>& findings);

/// «nothing in notes.txt that gpulint reads: it looks like …», ready to print.
[[nodiscard]] std::string describe(const UnreadFile& file);

}  // namespace gpulint

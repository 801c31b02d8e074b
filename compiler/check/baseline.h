#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Recorded findings, counted by file, rule and message. It has no lines: a finding that moves
/// within its file stays recorded. A finding about several workloads counts once for each.
struct Baseline {
  struct Key {
    std::string file;  ///< Relative to the baseline's folder, with forward slashes.
    std::string rule;
    std::string message;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::map<Key, std::size_t> counts;
  /// An older release wrote it: an entry may count for several workloads (baseline.cpp).
  bool groups_workloads = false;
  /// An older release wrote it: an entry may count for several tasks of one finding.
  bool groups_tasks = false;
};

/// The result of applying a baseline.
struct BaselineUse {
  std::size_t known = 0;    ///< Findings that were removed.
  std::size_t grouped = 0;  ///< Of those, findings that matched entries of older releases.
  std::size_t gone = 0;     ///< Recorded findings that did not occur, in what was checked.
};

/// The message without numbers and text in backticks, except for names of objects, their parts and
/// tasks (Pod `train`). Two findings of one rule with the same shape differ only in values.
[[nodiscard]] std::string message_shape(std::string_view message);

[[nodiscard]] Baseline make_baseline(std::span<const Diagnostic> findings, const SourceSet& sources,
                                     const std::string& folder);

/// A parsed baseline; `problem` says why it is invalid, `where` its place.
struct BaselineReading {
  Baseline baseline;
  std::string problem;
  Node where;
};

/// Reads the format that `write_baseline` of the backends writes.
[[nodiscard]] BaselineReading read_baseline(Node root);

/// Removes the findings that the baseline records. Equal messages are matched first, then messages
/// of equal shape, then messages that name the same objects: a release may reword a message. If
/// there are more findings than recorded, those that look new remain. `is_checked`: whether the
/// run checked the file and the rule of an entry; other entries are not gone.
BaselineUse apply_baseline(Baseline baseline, const SourceSet& sources, const std::string& folder,
                           const std::function<bool(const Baseline::Key&)>& is_checked,
                           std::vector<Diagnostic>& findings);

}  // namespace gpulint

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

/// Findings that were known at some time, counted by file, rule and message. No lines: what moves
/// within its file stays known. A finding about several workloads counts once for each.
struct Baseline {
  struct Key {
    std::string file;  ///< Relative to the baseline's folder, with forward slashes.
    std::string rule;
    std::string message;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::map<Key, std::size_t> counts;
  /// An older release wrote it: an entry may stand for several workloads (grouped_entries.h).
  bool groups_workloads = false;
};

/// What applying a baseline did.
struct BaselineUse {
  std::size_t known = 0;    ///< Findings that were removed.
  std::size_t grouped = 0;  ///< Of them, those that entries of older releases stand for.
  std::size_t gone = 0;     ///< Known findings that did not occur, of what was checked.
};

/// The message with every number and everything in backticks left out, but for names of objects
/// and tasks (Pod `train`). Two findings of one rule with the same shape differ only in values.
[[nodiscard]] std::string message_shape(std::string_view message);

[[nodiscard]] Baseline make_baseline(std::span<const Diagnostic> findings, const SourceSet& sources,
                                     const std::string& folder);

/// What reading a baseline gave; `problem` tells why it cannot be one, with its place.
struct BaselineReading {
  Baseline baseline;
  std::string problem;
  Node where;
};

/// Reads what `write_baseline` of the backends wrote.
[[nodiscard]] BaselineReading read_baseline(Node root);

/// Removes the findings that the baseline knows. Equal messages are matched first, then messages of
/// equal shape, so that of more findings than known the ones that look new remain. `is_checked`:
/// whether the run checked the file of an entry by its rule; the others are not gone.
BaselineUse apply_baseline(Baseline baseline, const SourceSet& sources, const std::string& folder,
                           const std::function<bool(const Baseline::Key&)>& is_checked,
                           std::vector<Diagnostic>& findings);

}  // namespace gpulint

#pragma once

// backends: values → text in each output format. A backend prints what its input contains and
// decides nothing. It does not know how the input was computed, and opens no files.

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/placement.h"
#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/project/finding_places.h"
#include "compiler/project/read_summary.h"
#include "compiler/project/stream_origins.h"

namespace gpulint {

/// A rule as output shows it. `documentation` is its rule.md; empty for policies.
struct RuleText {
  const RuleInfo* info = nullptr;
  std::string_view documentation;
  std::string_view policy = {};  ///< Its policy.cel; empty for policies.
};

/// The counts of a run.
struct Summary {
  std::size_t files = 0;      ///< Files that were read.
  std::size_t documents = 0;  ///< YAML documents in them.
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
};

/// Why a run or a part of it failed: a file that could not be read, an output that could not be
/// written.
struct RunError {
  std::string file;  ///< Empty if the error is not about a file.
  std::string message;
};

/// How to draw text for people. Machine formats ignore it.
struct Presentation {
  bool color = false;
  bool hyperlinks = false;  ///< OSC 8 links on locations.
  bool summary = true;      ///< The closing line of the text format.
  std::size_t width = 0;    ///< Columns of the terminal; 0 without a terminal.
};

/// How a run was made, for reports that are read later or elsewhere.
struct Provenance {
  std::string project = {};        ///< The folder that was checked; empty: unknown.
  std::string command = {};        ///< As typed.
  std::string configuration = {};  ///< The gpulint.yaml in force; empty: none.
  std::string revision = {};       ///< The commit that is checked out; empty outside of a
                                   ///< repository.
  std::string date = {};           ///< UTC, to the minute; empty: unknown.
  std::string read = {};           ///< `3 nodes, 2 workloads`: what was read.
};

/// Everything that a backend receives. The references must outlive it.
struct Run {
  const SourceSet& sources;
  const std::vector<Diagnostic>& diagnostics;  ///< In the order of `precedes`.
  std::vector<RuleText> rules;                 ///< All rules of gpulint, sorted by id.
  Summary summary;
  std::string version;        ///< gpulint's, e.g. "0.1.0".
  std::string homepage = {};  ///< gpulint's; empty if it has none.
  std::string folder = {};    ///< Absolute path that relative paths start from; may be empty.
  std::string root = {};      ///< Absolute path of the repository, at or above `folder`.
  Presentation presentation;
  std::vector<PlacementMatrix> placements;  ///< One for each cluster; empty if nothing was placed.
  std::size_t unplaced = 0;                 ///< Workloads in scopes without nodes.
  std::vector<CompiledPod> pods;            ///< Empty if nothing was compiled.
  ReadSummary read = {};
  std::vector<RunError> errors = {};                    ///< If not empty, the run failed: exit
                                                        ///< status 2.
  std::optional<Severity> fail_on = Severity::warning;  ///< Lowest that counts; nullopt: none.
  Provenance provenance = {};
  std::vector<FindingObject> objects = {};  ///< One for each finding, or none at all.
  std::vector<std::string> notes = {};      ///< Assumptions of the placements.
  std::vector<StreamOrigin> origins = {};   ///< Origins of the findings' places; sorted, disjoint.
  bool wants_statistics = false;            ///< Count findings by rule.
};

/// One output format: a pure function from a run to text. `concise` and `jsonl` may write nothing.
struct Backend {
  std::string_view name;
  std::string_view extension;  ///< Extension of its files: `gitlab.json`.
  std::string_view help;
  void (*emit)(const Run& run, std::ostream& out);
};

/// The rows of formats.def, in their order.
[[nodiscard]] std::span<const Backend> all_backends();
/// nullptr if no format has this name.
[[nodiscard]] const Backend* find_backend(std::string_view name);

/// Counts findings by severity; `files` and `documents` are copied.
[[nodiscard]] Summary summarize(std::span<const Diagnostic> diagnostics, std::size_t files,
                                std::size_t documents);

/// The findings of one rule.
struct RuleStatistics {
  const RuleInfo* rule = nullptr;
  Severity severity = Severity::info;  ///< The highest of its findings.
  std::size_t findings = 0;
  std::size_t fixable = 0;
};
/// Most findings first; rules with equally many by id.
[[nodiscard]] std::vector<RuleStatistics> statistics_of(std::span<const Diagnostic> diagnostics);

/// `gpulint check --statistics`: findings per rule, most frequent first.
void write_statistics(const Run& run, std::ostream& out);

}  // namespace gpulint

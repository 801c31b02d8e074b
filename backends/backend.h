#pragma once

// backends: values → text in each output format. A backend does not decide anything: what it prints
// is in its input. It does not know how the input was computed and does not open files.

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

/// A rule as output shows it. `documentation` is its rule.md, empty for policies.
struct RuleText {
  const RuleInfo* info = nullptr;
  std::string_view documentation;
  std::string_view policy = {};  ///< Its policy.cel; empty for policies.
};

/// The figures of a run.
struct Summary {
  std::size_t files = 0;      ///< Files that were read.
  std::size_t documents = 0;  ///< YAML documents in them.
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
};

/// Why a run failed, or a part of it: a file that could not be read, an output not written.
struct RunError {
  std::string file;  ///< Empty where it is about none.
  std::string message;
};

/// How text for people is drawn; machine formats look at none of it.
struct Presentation {
  bool color = false;
  bool hyperlinks = false;  ///< OSC 8 links on locations.
  bool summary = true;      ///< The closing line of the text format.
  std::size_t width = 0;    ///< Columns of the terminal; 0 where there is none.
};

/// How a run came about, for reports that are read later and elsewhere.
struct Provenance {
  std::string command = {};        ///< As it was typed.
  std::string configuration = {};  ///< The gpulint.yaml in force; empty: none.
  std::string revision = {};       ///< The commit that is checked out; empty: no repository.
  std::string date = {};           ///< In UTC, to the minute; empty: not told.
  std::string read = {};           ///< `3 nodes, 2 workloads`: what was understood.
};

/// All that a backend gets. The references must outlive it.
struct Run {
  const SourceSet& sources;
  const std::vector<Diagnostic>& diagnostics;  ///< In the order of `precedes`.
  std::vector<RuleText> rules;                 ///< Sorted by id; those that ran or could have.
  Summary summary;
  std::string version;        ///< Of gpulint, e.g. "0.1.0".
  std::string homepage = {};  ///< Of gpulint; empty where it has none.
  std::string folder = {};    ///< Absolute path that relative paths start from; may be empty.
  std::string root = {};      ///< Absolute path of the repository, at or above `folder`.
  Presentation presentation;
  std::vector<PlacementMatrix> placements;  ///< One a cluster; empty where nothing was placed.
  std::size_t unplaced = 0;                 ///< Workloads without any node beside them.
  std::vector<CompiledPod> pods;            ///< Empty where nothing was compiled.
  ReadSummary read = {};
  std::vector<RunError> errors = {};                    ///< The run failed: exit status 2.
  std::optional<Severity> fail_on = Severity::warning;  ///< Lowest that counts; nullopt: none.
  Provenance provenance = {};
  std::vector<JudgedObject> objects = {};  ///< One a finding, or none at all.
  std::vector<std::string> notes = {};     ///< On what the placements take for granted.
  std::vector<StreamOrigin> origins = {};  ///< Of the places of findings; sorted, apart.
  bool wants_statistics = false;           ///< Findings are counted by rule.
};

/// One output format: a pure function from a run to lines; those of `concise` and `jsonl` may be
/// none.
struct Backend {
  std::string_view name;
  std::string_view extension;  ///< What the names of its files end in: `gitlab.json`.
  std::string_view help;
  void (*emit)(const Run& run, std::ostream& out);
};

/// The rows of formats.def, in their order.
[[nodiscard]] std::span<const Backend> all_backends();
/// nullptr where no format has this name.
[[nodiscard]] const Backend* find_backend(std::string_view name);

/// Counts findings by severity; `files` and `documents` are taken as given.
[[nodiscard]] Summary summarize(std::span<const Diagnostic> diagnostics, std::size_t files,
                                std::size_t documents);

/// What was found of one rule.
struct RuleStatistics {
  const RuleInfo* rule = nullptr;
  Severity severity = Severity::info;  ///< The highest among its findings.
  std::size_t findings = 0;
  std::size_t fixable = 0;
};
/// Most findings first; rules with equally many by id.
[[nodiscard]] std::vector<RuleStatistics> statistics_of(std::span<const Diagnostic> diagnostics);

/// `gpulint check --statistics`: findings per rule, most frequent first.
void write_statistics(const Run& run, std::ostream& out);

}  // namespace gpulint

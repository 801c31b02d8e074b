#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/pipeline.h"

namespace gpulint {

enum class Command : std::uint8_t {
  check,
  filter,
  fix,
  compile,
  place,
  why,
  generate,
  rule,
  rules,
  init,
  nodes,
  policy,
  schema,
  debug_json,
  debug_admit,
  debug_spans,
  completions,
  complete_words,  ///< `__complete`, which no help names: `paths` are the words.
  self_check
};

enum class When : std::uint8_t { automatic, always, never };

/// `--format NAME[:FILE]`.
struct FormatRequest {
  std::string name;
  std::string file;  ///< Empty: standard output.
};

/// The command line, checked: what to read and judge, and what to do with the answer. The `paths`
/// of `rule` and `completions` are names.
struct Options : Request {
  Command command = Command::check;
  std::vector<std::string> words;  ///< The command line as it was typed, without the program.
  std::vector<std::string> format_texts;  ///< `--format`, as typed.
  std::vector<FormatRequest> formats;     ///< The same, read. Empty: the command's default.
  std::string output;  ///< Of a run without `formats`, which name their files. `init` may have `-`.
  std::optional<Severity> fail_on = Severity::warning;  ///< nullopt: never.
  When color = When::automatic;
  bool quiet = false;
  bool verbose = false;     ///< Tell on standard error what is read, and how.
  bool show_files = false;  ///< Print the names of the inputs and do nothing else.
  bool statistics = false;
  bool require_input = false;
  std::string add_suppressions;  ///< The reason; empty: not asked for.

  bool apply = false;  ///< why: write the changes.
  std::string event;   ///< why: a text with events, its file, or `-`; empty: none was given.

  bool bare = false;   ///< generate: Flyte's own configuration rather than values.
  bool force = false;  ///< init: overwrite.

  policy::FactsFrom facts_from = policy::FactsFrom::automatic;
  bool deny_facts = false;     ///< policy: deny what rests on the known nodes, too.
  std::string checked_policy;  ///< policy: the file that is held against what would be written.

  bool diff = false;
  bool ask = false;
};

/// What parsing a command line gave: options to run with, or an exit status to leave with at once
/// (after --help, --version or a bad flag; the text has been printed).
struct ParsedOptions {
  std::optional<Options> options;
  int exit_status = 0;
};

/// The names that `--format` of a command takes; empty where it has no such option.
[[nodiscard]] std::vector<std::string> formats_of(Command command);

[[nodiscard]] ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace gpulint

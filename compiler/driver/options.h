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
  server,
  complete_words,  ///< `__complete`, which help does not list: `paths` are the words.
  self_check
};

enum class When : std::uint8_t { automatic, always, never };

/// `--format NAME[:FILE]`.
struct FormatRequest {
  std::string name;
  std::string file;  ///< Empty: standard output.
};

/// The checked command line: what to read and check, and what to do with the answer. For `rule` and
/// `completions`, `paths` are names.
struct Options : Request {
  Command command = Command::check;
  std::vector<std::string> words;         ///< The command line as typed, without the program.
  std::vector<std::string> format_texts;  ///< `--format`, as typed.
  std::vector<FormatRequest> formats;     ///< The same, parsed. Empty: the command's default.
  std::string render;  ///< any, own or helm: what renders charts; empty: nothing does.
  std::string output;  ///< For a run without `formats`, which name their files. `-` for `init`.
  std::optional<Severity> fail_on = Severity::warning;  ///< nullopt: never.
  When color = When::automatic;
  bool quiet = false;
  bool verbose = false;     ///< Report on standard error what is read, and how.
  bool show_files = false;  ///< Print only the names of the inputs.
  bool statistics = false;
  bool require_input = false;
  bool watch = false;
  std::string add_suppressions;  ///< The reason; empty: not requested.

  bool apply = false;  ///< why: write the changes.
  std::string event;   ///< why: a text with events, its file, or `-`; empty: none.

  bool bare = false;   ///< generate: Flyte's own configuration instead of values.
  bool force = false;  ///< init: overwrite.

  policy::FactsFrom facts_from = policy::FactsFrom::automatic;
  bool deny_facts = false;     ///< policy: also deny what depends on cluster facts.
  std::string checked_policy;  ///< policy: the file to compare with the current policies.

  bool diff = false;
  bool ask = false;
};

/// The result of parsing: options to run with, or the exit status to leave with at once (after
/// --help, --version or a bad flag; the text is already printed).
struct ParsedOptions {
  std::optional<Options> options;
  int exit_status = 0;
};

/// The names that `--format` of a command accepts; empty if it has no such option.
[[nodiscard]] std::vector<std::string> formats_of(Command command);

[[nodiscard]] ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace gpulint

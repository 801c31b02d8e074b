#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

enum class Command : std::uint8_t {
  check,
  fix,
  compile,
  place,
  generate,
  rule,
  rules,
  init,
  nodes,
  schema,
  debug_json,
  debug_admit,
  debug_spans,
  completions
};

enum class When : std::uint8_t { automatic, always, never };

/// `--format NAME[:FILE]`.
struct FormatRequest {
  std::string name;
  std::string file;  ///< Empty: standard output (or --output).
};

/// The command line, checked. Everything the user left unsaid has its default.
struct Options {
  Command command = Command::check;
  std::vector<std::string> paths;  ///< Files, folders, `-`; for `rule` and `completions`: names.

  std::string config;  ///< Empty: search upward from the first path.
  bool no_config = false;
  std::vector<FormatRequest> formats;  ///< Empty: the command's default.
  std::string output;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::optional<Severity> fail_on = Severity::warning;  ///< nullopt: never.
  std::string stdin_filename;
  unsigned jobs = 0;  ///< 0: as many as there are processors.
  When color = When::automatic;
  bool quiet = false;
  bool statistics = false;
  bool require_input = false;
  bool force_exclude = false;
  bool allow_outside = false;  ///< gpulint.yaml and links may lead out of the repository.
  bool no_join = false;        ///< Files of a walk stand alone unless gpulint.yaml joins them.
  bool in_tree = false;        ///< Named files are judged as a walk of the folder would judge them.
  std::string baseline;
  std::string write_baseline;
  std::string changed_since;
  std::string add_suppressions;  ///< The reason; empty: not asked for.

  std::vector<std::string> nodes;
  std::vector<std::string> values;
  Provider provider = Provider::unknown;
  FlyteVersion flyte_version = FlyteVersion::unknown;
  FlyteChart chart = FlyteChart::unknown;
  std::string tasks_file;
  std::vector<std::string> tasks;  ///< `--task` specs, as written.

  bool bare = false;   ///< generate: Flyte's own configuration rather than values.
  bool force = false;  ///< init: overwrite.

  bool unsafe_fixes = false;
  bool diff = false;
  bool ask = false;
};

/// What parsing a command line gave: options to run with, or an exit status to leave with at once
/// (after --help, --version or a bad flag; the text has been printed).
struct ParsedOptions {
  std::optional<Options> options;
  int exit_status = 0;
};

[[nodiscard]] ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace gpulint

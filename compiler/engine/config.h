#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/selection.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// A key of gpulint.yaml (facts/config-keys.json). The reader of the file and its JSON Schema use
/// this table.
struct ConfigKey {
  std::string_view section;  ///< The mapping that contains it, by the name that `type` uses for it.
  std::string_view name;
  /// `string`, `bool`, `quantity`, `rule` (an id or a category), `any`, `a|b` (one of these words),
  /// `T/U` (either), `[]T` (a list; a single scalar counts as a list of one), `map:T`, `amounts`
  /// (quantities for a task's resources), or a section. Lists of either: `[]T/U`.
  std::string_view type;
  std::string_view help;  ///< One sentence.
  bool is_required = false;
};

/// The name of the section that is the whole file.
inline constexpr std::string_view config_root = "Config";

/// All keys, section by section, in the order of the documentation.
[[nodiscard]] std::span<const ConfigKey> config_keys();
/// Null if the section has no such key.
[[nodiscard]] const ConfigKey* find_config_key(std::string_view section, std::string_view name);

/// Files that describe one cluster, with the cluster facts that gpulint.yaml sets.
struct ScopeConfig {
  std::string name;                    ///< Empty for the top level of gpulint.yaml.
  std::vector<std::string> paths;      ///< Globs; empty for the top level.
  std::vector<std::string> nodes;      ///< Globs of files with the cluster's nodes.
  std::vector<std::string> workloads;  ///< Globs of manifests that run on the cluster.
  Settings settings;
  Selection selection;
  std::vector<PathIgnore> per_file_ignores;
  std::vector<std::string> exclude;  ///< Globs; for the top level: files to skip in folders.
};

/// One entry of `policies`: the user's own rule. compiler/check/policies.h evaluates it.
struct Policy {
  RuleInfo info;  ///< Views into `id` and `message`.
  std::string id;
  std::string message;
  std::optional<std::size_t> scope;  ///< The index in Config::scopes where it applies; nullopt:
                                     ///< everywhere.
  Node node;                         ///< The entry, with `match`, `require` and `forbid`.
};

/// One entry of `render`: a chart, and the values to render it with.
struct ConfigRender {
  std::string chart;                ///< Its folder, relative to the file's folder.
  std::vector<std::string> values;  ///< Files, lowest layer first.
  std::string name_space;           ///< Empty: not set.
  std::string release;
};

/// A parsed gpulint.yaml. Without a file: all defaults.
struct Config {
  std::string folder;  ///< The file's folder, `.` by default; globs are relative to it.
  ScopeConfig top;
  std::vector<ScopeConfig> scopes;  ///< From `scopes`; each inherits from `top` what it does not
                                    ///< set.
  bool joins = true;                ///< `join`: check files of a folder with the nodes nearest to
                                    ///< them.
  std::vector<ConfigRender> renders;
  std::deque<Policy> policies;  ///< Stable addresses: findings point to their RuleInfo.
};

/// A problem in the configuration.
struct ConfigProblem {
  enum class Kind : std::uint8_t {
    unknown_key,  ///< A finding (`unknown-config-key`): the run ignores the key and continues.
    refused,      ///< The run cannot do what the user intends: exit status 2.
  };
  Kind kind = Kind::refused;
  Node node;  ///< The key or value.
  std::string message;
  std::string suggestion;  ///< For an unknown key, the nearest known one; may be empty.
  std::string help = {};   ///< What to do instead, if there is no suggestion; may be empty.
};

/// `tasks.yaml:1:12: unknown key `gpus`; did you mean `gpu`?`, for commands that report no
/// findings.
[[nodiscard]] std::string describe(const ConfigProblem& problem, const SourceSet& sources);

struct ConfigReading {
  Config config;
  std::vector<ConfigProblem> problems;
};

/// Reads the document of a gpulint.yaml. `rules`: all rules, to check names of rules.
[[nodiscard]] ConfigReading read_config(Node document_root, std::span<const RuleInfo> rules);

/// Adds an `unknown_key` for each key of a tasks file (`--tasks`) that tasks do not have. Next to
/// the list the file may have the keys of a gpulint.yaml.
void find_unknown_task_keys(Node root, std::vector<ConfigProblem>& problems);

/// A finding of `unknown-config-key` for each unknown key; the fix renames it.
[[nodiscard]] std::vector<Diagnostic> report_unknown_keys(const ConfigReading& reading,
                                                          const RuleInfo& rule);

}  // namespace gpulint

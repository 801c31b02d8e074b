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
  std::string_view section;  ///< The mapping it stands in, by the name that `type` refers to it.
  std::string_view name;
  /// `string`, `bool`, `quantity`, `rule` (an id or a category), `any`, `a|b` (one of these words),
  /// `T/U` (either), `[]T` (a list; a single scalar counts as a list of one), `map:T`, `amounts`
  /// (quantities by a task's resources), or a section. Lists of either: `[]T/U`.
  std::string_view type;
  std::string_view help;  ///< One sentence.
  bool is_required = false;
};

/// The name of the section that is the whole file.
inline constexpr std::string_view config_root = "Config";

/// Every key, section by section, in the order in which documentation shows them.
[[nodiscard]] std::span<const ConfigKey> config_keys();

/// Files that belong together and what is known of the cluster they run on.
struct ScopeConfig {
  std::string name;                    ///< Empty for the top level of gpulint.yaml.
  std::vector<std::string> paths;      ///< Globs; of the top level: empty.
  std::vector<std::string> nodes;      ///< Globs of files that hold the cluster's nodes.
  std::vector<std::string> workloads;  ///< Globs of manifests that run on the cluster.
  Settings settings;
  Selection selection;
  std::vector<PathIgnore> per_file_ignores;
  std::vector<std::string> exclude;  ///< Globs; of the top level: what a walk leaves out.
};

/// One entry of `policies`: the user's own rule. Evaluated by compiler/check/policies.h.
struct Policy {
  RuleInfo info;  ///< Views into `id` and `message`.
  std::string id;
  std::string message;
  std::optional<std::size_t> scope;  ///< The only one of Config::scopes it holds in; or everywhere.
  Node node;                         ///< The entry; `match`, `require`, `forbid` are read from it.
};

/// gpulint.yaml, read. Without a file: all defaults.
struct Config {
  std::string folder;  ///< Where the file lies, `.` by default; globs are relative to it.
  ScopeConfig top;
  std::vector<ScopeConfig> scopes;  ///< Of `scopes`; each inherits what it does not say from `top`.
  bool joins = true;                ///< `join`: files of a walk with the nodes nearest to them.
  std::deque<Policy> policies;      ///< Stable addresses: findings point to their RuleInfo.
};

/// What reading a config found wrong.
struct ConfigProblem {
  enum class Kind : std::uint8_t {
    unknown_key,  ///< A finding (`unknown-config-key`): the run goes on without the key.
    refused,      ///< The run cannot mean what the user wants: exit status 2.
  };
  Kind kind = Kind::refused;
  Node node;  ///< The key or value.
  std::string message;
  std::string suggestion;  ///< Of an unknown key: the nearest known one; may be empty.
  std::string help = {};   ///< Without one: what to do instead, where more can be said than that.
};

/// `tasks.yaml:1:12: unknown key `gpus`; did you mean `gpu`?`, for what reports no findings.
[[nodiscard]] std::string describe(const ConfigProblem& problem, const SourceSet& sources);

struct ConfigReading {
  Config config;
  std::vector<ConfigProblem> problems;
};

/// Reads the document of a gpulint.yaml. `rules` are all rules, for the names in `rules:`.
[[nodiscard]] ConfigReading read_config(Node document_root, std::span<const RuleInfo> rules);

/// Adds an `unknown_key` for every key of a tasks file (`--tasks`) that no task has; around the
/// list it may have the keys of a gpulint.yaml.
void find_unknown_task_keys(Node root, std::vector<ConfigProblem>& problems);

/// A finding of `unknown-config-key` for each unknown key; the fix renames it.
[[nodiscard]] std::vector<Diagnostic> report_unknown_keys(const ConfigReading& reading,
                                                          const RuleInfo& rule);

}  // namespace gpulint

#pragma once

#include <span>
#include <string_view>
#include <vector>

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

/// The names of a section's keys.
[[nodiscard]] std::vector<std::string_view> config_key_names(std::string_view section);

/// Null where the section has no such key.
[[nodiscard]] const ConfigKey* find_config_key(std::string_view section, std::string_view name);

}  // namespace gpulint

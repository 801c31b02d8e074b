#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/read_config.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// One configuration file of a Flyte process.
struct ConfigFile {
  std::string name;  ///< Its name in the process's folder; files load in the order of their names.
  ConfigValue value;
  std::vector<ConfigProblem> problems;  ///< Why it cannot be read; empty if it can.
};

/// The fate of a value that does not reach Flyte's sections.
struct LostValue {
  enum class Reason : std::uint8_t {
    replaced,  ///< A later layer or file sets another value.
    ignored,   ///< An earlier layer has a mapping there, and this value is not a mapping.
    dropped,   ///< Null or an empty mapping, which has no effect.
    removed    ///< Deleted by a null, or by a key with dots (`plugins.k8s: …`) at the same place.
  };
  Reason reason = Reason::replaced;
  std::string path;  ///< Dotted, in lower case if Flyte converted it.
  Node loser;
  Node winner;  ///< The value in its place; null for `dropped`.
};

struct MergedSettings {
  ConfigValue settings;  ///< The tree of keys as Flyte's sections receive it.
  std::vector<LostValue> lost;
};

/// Loads files in the given order, as Flyte's accessor does with viper 1.21: converts keys to lower
/// case, merges mappings, and uses the last list or scalar; then restores lists and keys with dots
/// as written.
[[nodiscard]] MergedSettings merge_config_files(std::span<const ConfigFile> files,
                                                FlyteVersion version);

}  // namespace gpulint::flyte

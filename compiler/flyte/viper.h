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
  std::string name;  ///< Its name in the process's folder; files load in the order of names.
  ConfigValue value;
  std::vector<ConfigProblem> problems;  ///< Why it cannot be read; empty where it can.
};

/// What became of a value that does not reach Flyte's sections.
struct LostValue {
  enum class Reason : std::uint8_t {
    replaced,  ///< A later layer or file says otherwise.
    ignored,   ///< It stands where an earlier layer has a mapping, and is no mapping itself.
    dropped,   ///< Null or an empty mapping, which leaves no trace.
    removed    ///< Deleted by a null, or by a key with dots (`plugins.k8s: …`) at the same place.
  };
  Reason reason = Reason::replaced;
  std::string path;  ///< Dotted, lower-case where Flyte lower-cased it.
  Node loser;
  Node winner;  ///< What stands in its place; nothing for `dropped`.
};

struct MergedSettings {
  ConfigValue settings;  ///< The tree of keys as Flyte's sections receive it.
  std::vector<LostValue> lost;
};

/// Loads files in the order given, as Flyte's accessor does it with viper 1.21: keys are
/// lower-cased, mappings merge, the last list or scalar wins; then lists and keys with dots are put
/// back as written.
[[nodiscard]] MergedSettings merge_config_files(std::span<const ConfigFile> files,
                                                FlyteVersion version);

}  // namespace gpulint::flyte

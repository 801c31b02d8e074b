#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {

/// A command-line flag and its value in a scalar: a separate argument, or part of a script, a
/// systemd drop-in, cloud-init text … Places are in the file.
struct FlagUse {
  Node scalar;  ///< Contains the value.
  Node name;    ///< The argument before it that names the flag; nothing if there is none.
  Span flag;    ///< From the dashes to the end of the value, with quotes; empty if the flag is the
                ///< scalar's key or the argument before it.
  Span value;   ///< Without quotes around it.
};

/// Every use of `--name=value`, `--name value`, `name: value` below `root`; `name` without dashes.
[[nodiscard]] std::vector<FlagUse> find_flag(const SourceSet& sources, Node root,
                                             std::string_view name);

/// Removes the flag with its value, and the argument or entry if nothing else is left in it.
[[nodiscard]] std::vector<Edit> remove_flag(const SourceSet& sources, const FlagUse& use);

/// The comma-separated items of a value, trimmed of blanks.
[[nodiscard]] std::vector<Span> flag_items(const SourceSet& sources, const FlagUse& use);

/// Removes the item at `index` of flag_items() with the comma after or before it; the whole flag if
/// it is the only item.
[[nodiscard]] std::vector<Edit> remove_flag_item(const SourceSet& sources, const FlagUse& use,
                                                 const std::vector<Span>& items, std::size_t index);

}  // namespace gpulint::rules

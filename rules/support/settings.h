#pragma once

#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {

// Values that are set by their path: `helm --set`, as Argo CD's `parameters` and others write it.

/// Whether a key is a part of the path of a setting, and not a key of its own.
[[nodiscard]] bool is_in_path(Node written, std::string_view key);

/// Renames a part of the path of a setting. No edits where it stands there twice.
[[nodiscard]] std::vector<Edit> rename_in_path(const SourceSet& sources, Node path,
                                               std::string_view key, std::string_view name);

/// Says how the value of a setting stays a string, and does it where the format has a word for it.
/// False where `value` is no value of a setting.
bool help_to_stay_text(const SourceSet& sources, Node value, Finding finding);

}  // namespace gpulint::rules

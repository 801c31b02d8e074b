#pragma once

#include <functional>
#include <optional>
#include <string>

#include "compiler/ir/node.h"

namespace gpulint::rules {

/// A node as YAML text for the builders of edits.h, comments and anchors left out. Strings are
/// quoted where they need it; other plain scalars stand as written.

/// What to write in place of a scalar; nullopt: the scalar itself.
using Rewrite = std::function<std::optional<std::string>(Node scalar)>;

/// On lines of its own: begins with a line break, two blanks deeper a level; scalars and empty
/// collections stand on one line.
[[nodiscard]] std::string block_text(Node node, const Rewrite& rewrite = {});
/// On one line: `{a: 1, b: [x, y]}`.
[[nodiscard]] std::string flow_text(Node node);

}  // namespace gpulint::rules

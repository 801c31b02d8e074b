#pragma once

#include <functional>
#include <optional>
#include <string>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// A node as YAML text for the builders of edits.h, comments and anchors left out. Strings are
/// quoted where they need it; other plain scalars stand as written.

/// What to write in place of a scalar; nullopt: the scalar itself.
using Rewrite = std::function<std::optional<std::string>(Node scalar)>;

/// As the value of a key that stands in column 0: on lines of its own, beginning with a line break;
/// scalars and empty collections on the key's line.
[[nodiscard]] std::string block_text(Node node, const Rewrite& rewrite = {});
/// On one line: `{a: 1, b: [x, y]}`.
[[nodiscard]] std::string flow_text(Node node, const Rewrite& rewrite = {});

/// A value as insert_entry() takes it into a mapping of this style: scalars as they are written.
[[nodiscard]] std::string entry_value(const SourceSet& sources, Node value, Style style);

}  // namespace gpulint

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::gpu_count_in_command {

/// A flag of a command with the number that it is given.
struct FlagCount {
  std::string flag;  ///< As written, dashes included.
  std::int64_t count = 0;
  Node node;  ///< The scalar that holds the number.
};

/// What `command` and `args` of a container give to flags, in order: `--flag 2`, `--flag=2`, as
/// items of their own or inside a script. Flags without a number are left out.
[[nodiscard]] std::vector<FlagCount> find_flag_counts(Node container);

/// Where it stands: of a scalar of several lines the flag's own line, else all of the scalar.
[[nodiscard]] Span place_of(const SourceSet& sources, const FlagCount& given);

/// Whether a word of the container's `command` or `args` begins so.
[[nodiscard]] bool has_word(Node container, std::string_view start);

}  // namespace gpulint::rules::gpu_count_in_command

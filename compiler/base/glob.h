#pragma once

#include <string_view>

namespace gpulint {

/// Matches a path with `/` separators against a glob: `*` and `?` within one folder, `[a-z]`, `**`
/// across folders. A pattern without `/` matches the last path component anywhere. A pattern that
/// names a folder matches everything below it. Letter case counts.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace gpulint

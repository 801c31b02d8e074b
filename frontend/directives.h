#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/extent.h"

namespace gpulint {

/// A `%TAG` directive: `!e!` means `tag:example.com,2000:`.
struct TagHandle {
  std::string_view handle;
  std::string_view prefix;
};
using TagHandles = std::vector<TagHandle>;

/// The lines above a document's `---`.
struct Directives {
  struct Problem {
    Extent where;
    std::string message;
  };
  TagHandles handles;
  std::optional<Problem> problem;  ///< The first directive that YAML 1.1 rejects.
};

/// Reads the directives in text[range), which may contain comments.
[[nodiscard]] Directives read_directives(std::string_view text, Extent range);

}  // namespace gpulint

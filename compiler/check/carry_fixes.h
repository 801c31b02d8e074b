#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/rendered_inputs.h"

namespace gpulint {

/// A node of rendered text that a fix changes.
struct RenderedChange {
  enum class Kind : std::uint8_t {
    text,    ///< Another text, quoted as before.
    quoted,  ///< Quotes around a plain scalar, and perhaps another text.
    plain,   ///< No quotes any more.
    removed  ///< With its key.
  };
  Span node;  ///< In the rendered text.
  Kind kind = Kind::text;
  std::string text;  ///< Of the scalar after the fix.
  std::string key;   ///< Of an entry that is removed; empty for an item.
};

/// What a fix of rendered text changes; nullopt if it does more than replace and remove.
[[nodiscard]] std::optional<std::vector<RenderedChange>> changes_of(const SourceSet& sources,
                                                                    const Fix& fix);

/// The edits that make a change in values; empty if the author's style does not allow it. `place`:
/// the node of values that became the changed node.
[[nodiscard]] std::vector<Edit> carry_over(const SourceSet& sources, const RenderedChange& change,
                                           Span place);

}  // namespace gpulint

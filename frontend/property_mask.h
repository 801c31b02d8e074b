#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// A document's text with what yaml-cpp misreads replaced, byte for byte, by what it reads: anchors
/// and tags on the line of a block scalar's header become blanks (it takes their column for the
/// least indentation of the scalar's lines), and aliases become plain scalars of the same length
/// (it takes the colon of `*name: value` into the name), and the line break behind a key in braces
/// that has no value a blank (it takes none for a key), as does the `?` of `{?key: value}`; `\`
/// before NEL, LS or PS in quotes becomes text. Nothing where none of them occurs from `content`
/// on.
[[nodiscard]] std::optional<std::string> mask_properties(std::string_view text,
                                                         std::uint32_t content);

}  // namespace gpulint

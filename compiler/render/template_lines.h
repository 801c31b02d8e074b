#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::render {

/// A line of a template that may end in a YAML comment.
struct TemplateLine {
  std::uint32_t number = 1;     ///< From 1.
  std::size_t end = 0;          ///< Where a comment may be inserted: a byte offset.
  bool writes_several = false;  ///< It has an action that may write several lines.
};

/// The lines of a template that may end in a comment: they end outside of actions, have content of
/// their own, and do not end in `-}}`. In a `define` only lines that begin with a key or an item
/// count, because the text of a `define` may be a part of a line.
[[nodiscard]] std::vector<TemplateLine> commentable_lines(std::string_view text);

/// Whether a template may write something else each time.
[[nodiscard]] bool may_be_random(std::string_view text);

}  // namespace gpulint::render

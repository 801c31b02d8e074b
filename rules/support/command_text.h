#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "compiler/ir/node.h"

namespace gpulint::rules {

/// A scalar that may hold commands: arguments, a script, a systemd drop-in, a file of flags. Tells
/// flags that are given to something from those that comments, tables and prose speak of.
class CommandText {
 public:
  /// `file` is the text of the scalar's file.
  CommandText(std::string_view file, Node scalar);

  /// Whether the flag that stands from `begin` to `end` is given: behind the name of a Kubernetes
  /// component, in a variable (`KUBELET_EXTRA_ARGS=…`) or among nothing but flags.
  [[nodiscard]] bool is_given(std::size_t begin, std::size_t end);

 private:
  [[nodiscard]] std::size_t line_begin(std::size_t at) const;
  [[nodiscard]] std::size_t line_end(std::size_t at) const;
  [[nodiscard]] std::size_t backslashes_before(std::size_t at) const;
  [[nodiscard]] bool is_break(std::size_t at) const;
  [[nodiscard]] bool has_only_flags();

  std::string_view text_;  ///< Of the file, up to the end of the scalar.
  std::size_t begin_;      ///< Of the scalar's text, behind its quote.
  Style style_;
  std::optional<bool> has_only_flags_;
};

}  // namespace gpulint::rules

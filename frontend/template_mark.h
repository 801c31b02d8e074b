#pragma once

#include <optional>
#include <string_view>

#include "frontend/extent.h"

namespace gpulint {

/// A template's directive (`{{ … }}`, `{% … %}`, `<% … %>`, `%{ … }`) where YAML would read it:
/// outside comments, quotes and block scalars.
struct TemplateMark {
  Extent where;
  /// Stands where a value or a line begins, so that no YAML is meant. Otherwise it is part of a
  /// plain scalar, which YAML may well be able to read.
  bool is_certain = false;
};

/// The first certain mark in text[range), else the first uncertain one.
[[nodiscard]] std::optional<TemplateMark> find_template_mark(std::string_view text, Extent range);

}  // namespace gpulint

#pragma once

#include <optional>
#include <string_view>

#include "frontend/extent.h"
#include "frontend/line_scanner.h"

namespace gpulint {

/// The first certain mark in text[range), else the first uncertain one.
[[nodiscard]] std::optional<TemplateMark> find_template_mark(std::string_view text, Extent range);

/// In text that is not YAML: a line with only `${…}` or `$NAME`, which Terraform or a shell
/// replaces, or a function call in `${…}` on the line of `at`.
[[nodiscard]] std::optional<Extent> find_template_line(std::string_view text, Extent range,
                                                       std::uint32_t at);

/// In text that is not YAML: an action in quotes or block scalars that identifies a template. It
/// names one of Helm's objects (`{{ .Values.x }}`), or it is on the line of `at`.
[[nodiscard]] std::optional<Extent> find_quoted_mark(std::string_view text, Extent range,
                                                     std::uint32_t at);

}  // namespace gpulint

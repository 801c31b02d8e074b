#pragma once

#include <ostream>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gpulint {

/// Fills in a template, similar to Mustache, with values of the innermost object only:
///
///     {{name}}               a text or number, escaped; `{{.}}` is the value itself, `{{a/b}}` is
///     below `a`
///     {{name|FILTER}}        the same through one of: element, path, prose, diff, yaml, markdown,
///     raw
///     {{#name}}…{{/name}}    once for each value of a list, or once for an object
///     {{?name}}…{{/name}}    if the value is not null, false, zero or empty; keeps the object
///     {{^name}}…{{/name}}    if it is
///     {{,}}                  a comma, but not before the first value of a list
///
/// The tag of a section that is alone on its line leaves no line.
void fill_template(std::string_view text, const nlohmann::ordered_json& values, std::ostream& out);

/// The report's page with its style sheet and script, embedded at build time from page.html.
[[nodiscard]] std::string_view page_template();

}  // namespace gpulint

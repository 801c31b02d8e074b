#pragma once

#include <string_view>

namespace gpulint {

/// The style sheet and the script of the report, embedded at build time.
[[nodiscard]] std::string_view report_css();
[[nodiscard]] std::string_view report_js();
/// SHA-256 of either in hexadecimal digits, for the page's content security policy.
[[nodiscard]] std::string_view report_css_sha256();
[[nodiscard]] std::string_view report_js_sha256();

}  // namespace gpulint

#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The text as part of a URI: bytes other than unreserved ones and `/` as `%XX`.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// A reported path as tools on a repository require it: relative to `run.root` if it is below it,
/// `.` and `..` resolved by name, forward slashes. Other paths stay absolute if that is known, else
/// unchanged.
[[nodiscard]] std::string repository_path(const Run& run, std::string_view path);

/// The same as a URI reference (RFC 3986): percent-encoded, absolute paths with `file://`.
[[nodiscard]] std::string repository_uri(const Run& run, std::string_view path);

/// `file://` URI of a path; empty if it is not a file, or is relative and `run.folder` is unknown.
[[nodiscard]] std::string absolute_uri(const Run& run, std::string_view path);

}  // namespace gpulint

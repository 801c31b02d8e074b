#pragma once

#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The text as part of a URI: bytes other than unreserved ones and `/` as `%XX`.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// A reported path as tools on a repository want it: relative to `run.root` where it lies below
/// it, `.` and `..` resolved by name, forward slashes. Paths outside stay absolute where that is
/// known, else as they are.
[[nodiscard]] std::string repository_path(const Run& run, std::string_view path);

/// The same as a URI reference (RFC 3986): percent-encoded, absolute paths with `file://`.
[[nodiscard]] std::string repository_uri(const Run& run, std::string_view path);

/// `file://` URI of a path; empty where the path is relative and `run.folder` unknown, or no file.
[[nodiscard]] std::string absolute_uri(const Run& run, std::string_view path);

}  // namespace gpulint

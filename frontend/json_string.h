#pragma once

#include <string>

namespace gpulint {

/// Behind the bytes of a JSON string that stand for themselves: at its closing quote, a backslash,
/// a control character, or `end`.
[[nodiscard]] const char* behind_string_bytes(const char* at, const char* end);

/// Appends the rest of a JSON string from its first backslash on. At its closing quote; null where
/// it has none or holds what no JSON string holds.
[[nodiscard]] const char* decode_escapes(const char* at, const char* end, std::string& value);

}  // namespace gpulint

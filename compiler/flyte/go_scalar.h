#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// A YAML scalar as Flyte's configuration parser (gopkg.in/yaml.v3) reads it before any field type
/// is known.
struct GoScalar {
  enum class Type : std::uint8_t {
    null,
    boolean,
    integer,           ///< Within int64.
    unsigned_integer,  ///< Above int64, within uint64.
    floating,
    string,
    timestamp
  };
  Type type = Type::string;
  bool boolean = false;
  std::int64_t integer = 0;
  double floating = 0;
  /// The value in Go's plain format: `true`, `8`, `1.1`; for strings and timestamps the text.
  std::string text;
};

/// Reads a scalar node with its tag and quotes; nullopt if yaml.v3 rejects the document (`!!int
/// abc`).
[[nodiscard]] std::optional<GoScalar> read_go_scalar(Node scalar);

/// Reads plain text.
[[nodiscard]] GoScalar resolve_plain(std::string_view text);

/// strconv.ParseInt(text, 0, bits): `0x10`, `010`, `0b1`, `1_000`, `-3`; nullopt if invalid.
[[nodiscard]] std::optional<std::int64_t> parse_go_int(std::string_view text, int bits);

/// strconv.ParseBool; nullopt if invalid.
[[nodiscard]] std::optional<bool> parse_go_bool(std::string_view text);

/// time.ParseDuration, in nanoseconds; nullopt if invalid.
[[nodiscard]] std::optional<std::int64_t> parse_go_duration(std::string_view text);

/// time.Duration.String(): `1h0m0s`, `30s`, `1.5s`, `0s`.
[[nodiscard]] std::string format_go_duration(std::int64_t nanoseconds);

}  // namespace gpulint::flyte

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint::server {

/// The longest message that is accepted, in bytes. A longer one is skipped.
inline constexpr std::size_t most_message_bytes = 64U << 20U;

/// Cuts a stream of bytes into the bodies of messages: `Content-Length: N`, an empty line, N bytes.
/// It skips a header without a usable length and continues behind it.
class FrameReader {
 public:
  void add(std::string_view bytes) { buffer_.append(bytes); }
  /// The next whole body; nullopt until more bytes arrive.
  [[nodiscard]] std::optional<std::string> next();

 private:
  [[nodiscard]] bool take_header();

  std::string buffer_;
  std::optional<std::size_t> length_;  // of the body whose header was read
  std::size_t skipped_ = 0;            // bytes to come that belong to a body that is too long
};

/// A body with its header.
[[nodiscard]] std::string frame(std::string_view body);

}  // namespace gpulint::server

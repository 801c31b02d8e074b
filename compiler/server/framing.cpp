#include "compiler/server/framing.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::server {
namespace {

constexpr std::string_view header_end = "\r\n\r\n";
constexpr std::size_t most_header_bytes = 4096;

/// The number of `Content-Length`; nullopt if the header has none.
[[nodiscard]] std::optional<std::size_t> content_length(std::string_view header) {
  while (!header.empty()) {
    const std::string_view line = take_part(header, '\n');
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (!equal_fold(trim(line.substr(0, colon)), "content-length")) continue;
    const std::string_view digits = trim(line.substr(colon + 1));
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error == std::errc() && end == digits.data() + digits.size()) return length;
  }
  return std::nullopt;
}

}  // namespace

/// Moves the header from the buffer to `length_`. False if it is not complete.
bool FrameReader::take_header() {
  const std::size_t end = buffer_.find(header_end);
  if (end == std::string::npos) {
    // no client sends such a header: wait for the end of it, and keep nothing else
    if (buffer_.size() > most_header_bytes) buffer_.erase(0, buffer_.size() - header_end.size());
    return false;
  }
  const auto length = content_length(std::string_view(buffer_).substr(0, end));
  buffer_.erase(0, end + header_end.size());
  if (!length) return true;
  if (*length > most_message_bytes) {
    skipped_ = *length;
  } else {
    length_ = length;
  }
  return true;
}

std::optional<std::string> FrameReader::next() {
  while (true) {
    const std::size_t skipped = std::min(skipped_, buffer_.size());
    buffer_.erase(0, skipped);
    skipped_ -= skipped;
    if (skipped_ > 0) return std::nullopt;
    if (length_) {
      if (buffer_.size() < *length_) return std::nullopt;
      std::string body = buffer_.substr(0, *length_);
      buffer_.erase(0, *length_);
      length_.reset();
      return body;
    }
    if (!take_header()) return std::nullopt;
  }
}

std::string frame(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace gpulint::server

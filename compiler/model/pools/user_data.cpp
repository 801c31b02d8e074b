#include "compiler/model/pools/user_data.h"

#include <array>
#include <cstdint>
#include <optional>

namespace gpulint {
namespace {

[[nodiscard]] std::optional<std::uint32_t> base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

/// nullopt where the text is no base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text) {
  std::string decoded;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') break;
    const auto digit = base64_digit(c);
    if (!digit) return std::nullopt;
    bits = (bits << 6) | *digit;
    if (++count % 4 == 0) {
      for (const int shift : {16, 8, 0}) decoded += static_cast<char>((bits >> shift) & 0xff);
      bits = 0;
    }
  }
  if (count % 4 == 3) {
    decoded += static_cast<char>((bits >> 10) & 0xff);
    decoded += static_cast<char>((bits >> 2) & 0xff);
  } else if (count % 4 == 2) {
    decoded += static_cast<char>((bits >> 4) & 0xff);
  }
  return decoded;
}

/// The value of the flag's last occurrence: up to a blank or a quote.
[[nodiscard]] std::string flag_value(std::string_view script, std::string_view flag) {
  const std::size_t found = script.rfind(flag);
  if (found == std::string_view::npos) return {};
  std::string_view rest = script.substr(found + flag.size());
  if (!rest.starts_with('=') && !rest.starts_with(' ')) return {};
  rest.remove_prefix(1);
  if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
  const std::string_view value = rest.substr(0, rest.find_first_of(" \t\r\n\"'\\"));
  return value.find('$') == std::string_view::npos ? std::string(value) : std::string{};
}

}  // namespace

KubeletFlags find_kubelet_flags(std::string_view user_data) {
  const std::optional<std::string> decoded = decode_base64(user_data);
  const std::string_view script = decoded ? std::string_view(*decoded) : user_data;
  return {flag_value(script, "--node-labels"), flag_value(script, "--register-with-taints")};
}

}  // namespace gpulint

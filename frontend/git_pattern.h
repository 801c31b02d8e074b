#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// One pattern of a `.gitignore`, matched byte by byte as git's wildmatch with WM_PATHNAME does
/// (gitignore(5); what that page leaves open is held against `git check-ignore` by
/// tests/cli/test_ignore.py). The time is bounded by |pattern| × |text|.
class GitPattern {
 public:
  explicit GitPattern(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  using Bytes = std::bitset<256>;

  enum class Kind : std::uint8_t {
    one,      ///< A byte of a set.
    name,     ///< `*`: any bytes but `/`.
    any,      ///< `**` for a whole component: any bytes.
    folders,  ///< `**/`: any folders, or none.
  };
  struct Element {
    Kind kind = Kind::one;
    Bytes bytes;  ///< Of `one`.
  };

  void add_stars(std::string_view pattern, std::size_t& at);
  void add_class(std::string_view pattern, std::size_t& at);
  void add_byte(unsigned char byte);

  std::string literal_;                ///< What stands before the first special character.
  std::optional<std::string> suffix_;  ///< Of the commonest form, `*` and a suffix.
  std::vector<Element> elements_;
  bool is_broken_ = false;  ///< Matches nothing, as git has it for an unclosed `[`.
};

}  // namespace gpulint

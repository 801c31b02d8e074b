#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpulint {

/// One pattern of a `.gitignore`, matched byte by byte as git's wildmatch with WM_PATHNAME does
/// (gitignore(5); tests/cli/test_ignore.py compares it with `git check-ignore`). A pattern that RE2
/// finds too large matches nothing.
class GitPattern {
 public:
  explicit GitPattern(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  std::string literal_;                   ///< Before the first special character.
  std::optional<std::string> suffix_;     ///< Of the commonest rest, `*` and a suffix.
  std::shared_ptr<const re2::RE2> rest_;  ///< Null where there is no rest, or it matches nothing.
  bool is_broken_ = false;                ///< Matches nothing, as git has it for an unclosed `[`.
};

/// Matches a path with `/` separators against a glob of gpulint.yaml: `*` and `?` within one
/// folder, `[a-z]`, `**` across folders, wherever it is. A pattern without `/` matches the last
/// path component anywhere. A pattern that names a folder matches everything below it. Letter case
/// counts. Each thread compiles a pattern once.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace gpulint

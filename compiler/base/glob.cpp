#include "compiler/base/glob.h"

#include <string>

namespace gpulint {
namespace {

struct ClassMatch {
  bool matches = false;
  std::size_t length = 0;  ///< Of the whole `[…]`; 0 where it is not closed.
};

[[nodiscard]] ClassMatch match_class(std::string_view pattern, char c) {
  std::size_t at = 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (std::size_t first = at; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at != first) return {found != negated, at + 1};
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      found = found || (pattern[at] <= c && c <= pattern[at + 2]);
      at += 2;
    } else {
      found = found || pattern[at] == c;
    }
  }
  return {};
}

/// Length of the pattern element that matches `c`, or 0. Stars are the caller's business.
[[nodiscard]] std::size_t match_one(std::string_view pattern, char c) {
  if (pattern.empty()) return 0;
  if (pattern[0] == '?') return c == '/' ? 0 : 1;
  if (pattern[0] == '[') {
    const ClassMatch result = match_class(pattern, c);
    if (result.length != 0) return result.matches && c != '/' ? result.length : 0;
  }
  return pattern[0] == c ? 1 : 0;
}

/// Where to resume when what follows a star does not match.
struct Retry {
  std::size_t pattern = std::string_view::npos;
  std::size_t path = 0;
};

/// Both stars keep one retry point each, so the time is bounded by |pattern| × |path|².
[[nodiscard]] bool matches_whole(std::string_view pattern, std::string_view path) {
  std::size_t p = 0;
  std::size_t s = 0;
  Retry star;
  Retry double_star;
  while (true) {
    if (pattern.substr(p).starts_with("**")) {
      p += 2;
      if (p < pattern.size() && pattern[p] == '/') ++p;
      double_star = {p, s};
      star = {};
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      star = {++p, s};
      continue;
    }
    if (s == path.size() && p == pattern.size()) return true;
    const std::size_t step = s < path.size() ? match_one(pattern.substr(p), path[s]) : 0;
    if (step != 0) {
      p += step;
      ++s;
    } else if (star.pattern != std::string_view::npos && star.path < path.size() &&
               path[star.path] != '/') {
      p = star.pattern;
      s = ++star.path;
    } else if (double_star.pattern != std::string_view::npos && double_star.path < path.size()) {
      // `**/` resumes only at the start of a component, a bare `**` anywhere.
      const bool whole_components =
          double_star.pattern > 0 && pattern[double_star.pattern - 1] == '/';
      do {
        ++double_star.path;
      } while (whole_components && double_star.path < path.size() &&
               path[double_star.path - 1] != '/');
      p = double_star.pattern;
      s = double_star.path;
      star = {};
    } else {
      return false;
    }
  }
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  const bool names_folder = pattern.ends_with('/');
  if (names_folder) pattern.remove_suffix(1);
  std::string anchored(pattern);
  if (anchored.starts_with('/')) {
    anchored.erase(0, 1);
  } else if (anchored.find('/') == std::string::npos) {
    anchored.insert(0, "**/");
  }
  return (!names_folder && matches_whole(anchored, path)) || matches_whole(anchored + "/**", path);
}

}  // namespace gpulint

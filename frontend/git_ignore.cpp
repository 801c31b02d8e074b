#include "frontend/git_ignore.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "compiler/base/glob.h"

namespace gpulint {
namespace {

/// Without the line break and the blanks before it, unless a backslash keeps the last one.
[[nodiscard]] std::string_view trim_end(std::string_view line) {
  while (line.ends_with('\r') || (line.ends_with(' ') && !line.ends_with("\\ "))) {
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

void GitIgnore::add(std::string_view folder, std::string_view text) {
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view line = trim_end({part.begin(), part.end()});
    if (line.empty() || line.starts_with('#')) continue;
    Rule rule{.folder = std::string(folder), .pattern = {}};
    rule.is_negated = line.starts_with('!');
    if (rule.is_negated || line.starts_with("\\#") || line.starts_with("\\!")) {
      line.remove_prefix(1);
    }
    rule.is_for_folders = line.ends_with('/');
    if (rule.is_for_folders) line.remove_suffix(1);
    rule.is_anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    rule.pattern = line;
    if (!rule.pattern.empty()) rules_.push_back(std::move(rule));
  }
}

bool GitIgnore::matches(const Rule& rule, std::string_view path) {
  if (!path.starts_with(rule.folder)) return false;
  path.remove_prefix(rule.folder.size());
  if (!rule.is_anchored) path.remove_prefix(path.rfind('/') + 1);
  // A name without `/` would match anywhere; anchored it is one folder's own entry.
  if (rule.is_anchored && rule.pattern.find('/') == std::string::npos &&
      path.find('/') != std::string_view::npos) {
    return false;
  }
  return glob_matches(rule.pattern, path);
}

bool GitIgnore::ignores(std::string_view path, Entry entry) const {
  for (const Rule& rule : std::views::reverse(rules_)) {
    if (rule.is_for_folders && entry != Entry::folder) continue;
    if (matches(rule, path)) return !rule.is_negated;
  }
  return false;
}

}  // namespace gpulint

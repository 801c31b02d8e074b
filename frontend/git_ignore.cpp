#include "frontend/git_ignore.h"

#include <ranges>
#include <utility>

#include "frontend/stream.h"

namespace gpulint {
namespace {

/// Without the blanks at its end that no backslash keeps.
[[nodiscard]] std::string_view trim_end(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\') ++at;
    end = at + 1;
  }
  return line.substr(0, end);
}

}  // namespace

void GitIgnore::add(std::string_view folder, std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view line(part.begin(), part.end());
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(folder, trim_end(line));
  }
}

void GitIgnore::add_line(std::string_view folder, std::string_view line) {
  const bool is_negated = line.starts_with('!');
  if (is_negated) line.remove_prefix(1);
  const bool is_for_folders = line.ends_with('/');
  if (is_for_folders) line.remove_suffix(1);
  const bool is_anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  rules_.push_back(
      {std::string(folder), GitPattern(line), is_negated, is_for_folders, is_anchored});
}

void GitIgnore::restore(std::size_t size) {
  rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(size), rules_.end());
}

bool GitIgnore::matches(const Rule& rule, std::string_view path) {
  if (!path.starts_with(rule.folder)) return false;
  path.remove_prefix(rule.is_anchored ? rule.folder.size() : path.rfind('/') + 1);
  return rule.pattern.matches(path);
}

bool GitIgnore::ignores(std::string_view path, Entry entry) const {
  for (const Rule& rule : std::views::reverse(rules_)) {
    if (rule.is_for_folders && entry != Entry::folder) continue;
    if (matches(rule, path)) return !rule.is_negated;
  }
  return false;
}

}  // namespace gpulint

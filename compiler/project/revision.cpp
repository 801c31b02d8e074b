#include "compiler/project/revision.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "compiler/base/text.h"
#include "frontend/repository.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool is_hash(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() >= 40 && std::ranges::all_of(text, is_digit);
}

[[nodiscard]] std::string line_of(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return std::string(trim(line));
}

/// `<hash> <name>` in `packed-refs`, where branches end up that were not moved for a while.
[[nodiscard]] std::string packed(const fs::path& common, std::string_view name) {
  std::ifstream in(common / "packed-refs");
  for (std::string line; std::getline(in, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos || trim(line).substr(blank + 1) != name) continue;
    line.resize(blank);
    return line;
  }
  return {};
}

}  // namespace

std::string revision_of(const fs::path& work_tree) {
  const fs::path git = git_folder_of(work_tree);
  const fs::path common = common_folder_of(git);
  std::string head = line_of(git / "HEAD");
  constexpr std::string_view mark = "ref: ";
  if (head.starts_with(mark)) {
    const std::string name = head.substr(mark.size());
    const bool leads_out = name.find("..") != std::string::npos || name.starts_with('/');
    if (leads_out) return {};
    head = line_of(common / name);
    if (head.empty()) head = packed(common, name);
  }
  return is_hash(head) ? head : "";
}

}  // namespace gpulint

#include "frontend/repository.h"

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// Git's own files of this kind hold one path.
constexpr std::size_t longest_line = 8192;

/// The first line of a regular file; empty if there is none.
[[nodiscard]] std::string first_line(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(longest_line, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::optional<fs::path> repository_above(const fs::path& folder, const Exists& exists) {
  for (fs::path root = folder; !root.empty(); root = root.parent_path()) {
    if (exists(root / ".git")) return root;
    if (root == root.parent_path()) break;
  }
  return std::nullopt;
}

std::optional<fs::path> repository_above(const fs::path& folder) {
  return repository_above(folder, [](const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
  });
}

fs::path git_folder_of(const fs::path& work_tree) {
  constexpr std::string_view mark = "gitdir:";
  fs::path own = work_tree / ".git";
  const std::string line = first_line(own);
  if (!line.starts_with(mark)) return own;
  return work_tree / fs::path(trim(std::string_view(line).substr(mark.size())));
}

fs::path common_folder_of(const fs::path& git_folder) {
  const std::string line = first_line(git_folder / "commondir");
  return line.empty() ? git_folder : git_folder / fs::path(trim(line));
}

}  // namespace gpulint

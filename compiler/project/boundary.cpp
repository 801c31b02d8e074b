#include "compiler/project/boundary.h"

#include <deque>
#include <utility>

#include <fmt/format.h>

#include "frontend/repository.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

[[nodiscard]] fs::path absolute(const FileSystem& files, const fs::path& path) {
  return path.is_absolute() ? path : fs::path(files.current_folder()) / path;
}

/// The folder that links in `folder` must not leave; nullopt: no limit. `folder` has no links.
[[nodiscard]] std::optional<fs::path> boundary_of_links(const FileSystem& files,
                                                        const fs::path& folder,
                                                        const std::string& config_folder) {
  if (auto tree = work_tree_above(files, folder)) return tree;
  if (config_folder.empty()) return std::nullopt;
  fs::path configured = resolve_links(files, config_folder);
  if (!is_below(folder, configured)) return std::nullopt;
  return configured;
}

}  // namespace

fs::path resolve_links(const FileSystem& files, const fs::path& path) {
  const fs::path whole = absolute(files, path);
  std::deque<fs::path> parts(whole.begin(), whole.end());
  fs::path at;
  for (int links = 0; !parts.empty();) {
    const fs::path part = std::move(parts.front());
    parts.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      at = at.parent_path();
      continue;
    }
    const fs::path next = at / part;
    const bool is_link = links < most_links && files.status(next.string()).is_link;
    if (!is_link) {
      at = next;
      continue;
    }
    ++links;
    const fs::path target = files.link_target(next.string());
    if (target.is_absolute()) at.clear();
    parts.insert(parts.begin(), target.begin(), target.end());
  }
  return at;
}

std::optional<fs::path> work_tree_above(const FileSystem& files, const fs::path& folder) {
  return repository_above(
      folder, [&](const fs::path& path) { return files.status(path.string()).exists(); });
}

fs::path boundary_of(const FileSystem& files, const fs::path& folder) {
  fs::path whole = resolve_links(files, folder.empty() ? "." : folder);
  return work_tree_above(files, whole).value_or(whole);
}

fs::path repository_around(const FileSystem& files, const fs::path& folder) {
  const auto tree = work_tree_above(files, resolve_links(files, folder));
  return tree ? resolve_links(files, *tree) : boundary_of(files, files.current_folder());
}

bool leaves(const FileSystem& files, const fs::path& path, const fs::path& boundary) {
  return !is_below(resolve_links(files, path), boundary);
}

std::optional<Error> refuse_leaving(const FileSystem& files, const std::string& path,
                                    const std::string& config_folder) {
  fs::path at;
  for (const fs::path& part : absolute(files, path).lexically_normal()) {
    const fs::path folder = at;
    at /= part;
    if (!files.status(at.string()).is_link) continue;
    const auto boundary = boundary_of_links(files, resolve_links(files, folder), config_folder);
    if (!boundary || !leaves(files, path, *boundary)) continue;
    return Error{fmt::format("{}: a link leads out of {}; not written (--allow-outside permits it)",
                             path, boundary->string())};
  }
  return std::nullopt;
}

}  // namespace gpulint

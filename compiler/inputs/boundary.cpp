#include "compiler/inputs/boundary.h"

#include <system_error>

#include <fmt/format.h>

#include "frontend/repository.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// More links than the system follows.
constexpr int most_links = 40;

[[nodiscard]] bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Within what a link in `folder`, which is canonical, has to stay; nothing: it may lead anywhere.
[[nodiscard]] std::optional<fs::path> boundary_of_links(const fs::path& folder,
                                                        const std::string& config_folder) {
  if (auto repository = repository_above(folder)) return repository;
  if (config_folder.empty()) return std::nullopt;
  fs::path configured = resolve_links(config_folder);
  if (!is_below(folder, configured)) return std::nullopt;
  return configured;
}

}  // namespace

fs::path resolve_links(const fs::path& path) {
  std::error_code error;
  fs::path end = path;
  for (int step = 0; step < most_links && fs::is_symlink(end, error); ++step) {
    const fs::path target = fs::read_symlink(end, error);
    end = end.parent_path() / target;
  }
  fs::path result = fs::weakly_canonical(fs::absolute(end, error), error);
  return error ? end.lexically_normal() : result;
}

fs::path boundary_of(const fs::path& folder) {
  fs::path absolute = resolve_links(folder.empty() ? "." : folder);
  return repository_above(absolute).value_or(absolute);
}

bool leaves(const fs::path& path, const fs::path& boundary) {
  return !is_below(resolve_links(path), boundary);
}

std::optional<Error> refuse_leaving(const std::string& path, const std::string& config_folder) {
  std::error_code error;
  fs::path at;
  for (const fs::path& part : fs::absolute(path, error).lexically_normal()) {
    const fs::path folder = at;
    at /= part;
    if (!fs::is_symlink(at, error)) continue;
    const auto boundary = boundary_of_links(resolve_links(folder), config_folder);
    if (!boundary || !leaves(path, *boundary)) continue;
    return Error{
        fmt::format("{}: leads out of {}; nothing is written there without --allow-outside", path,
                    boundary->string())};
  }
  return std::nullopt;
}

}  // namespace gpulint

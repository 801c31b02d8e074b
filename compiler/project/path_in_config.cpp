#include "compiler/project/path_in_config.h"

#include <filesystem>
#include <string_view>

#include "compiler/project/boundary.h"

namespace gpulint {

namespace fs = std::filesystem;

std::string path_in_config(const FileSystem& files, const Config& config, const std::string& path) {
  const auto has = [&](std::string_view part) { return path.find(part) != path.npos; };
  const bool is_here = config.folder.empty() || config.folder == ".";
  if (is_here && !path.empty() && !has("./") && !has("//") && path[0] != '/' &&
      path.find_last_of("./") != path.size() - 1) {
    return path;
  }
  const fs::path folder = config.folder.empty() ? "." : config.folder;
  const fs::path current = files.current_folder();
  const auto whole = [&](const fs::path& part) { return (current / part).lexically_normal(); };
  // Links are not followed, unless they lead into the folder of the configuration.
  fs::path relative = whole(path).lexically_proximate(whole(folder / "x").parent_path());
  if (relative.begin() != relative.end() && *relative.begin() == "..") {
    relative = resolve_links(files, path).lexically_proximate(resolve_links(files, folder));
  }
  return relative.generic_string();
}

}  // namespace gpulint

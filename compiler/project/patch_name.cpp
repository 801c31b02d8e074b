#include "compiler/project/patch_name.h"

#include <filesystem>

#include "compiler/project/boundary.h"
#include "compiler/project/file_system.h"

namespace gpulint {

std::string name_in_patch(const std::string& path) {
  const std::filesystem::path named(path);
  const std::filesystem::path folder =
      resolve_links(disk(), named.has_parent_path() ? named.parent_path() : ".");
  const std::filesystem::path whole = folder / named.filename();
  if (const auto tree = work_tree_above(disk(), folder)) {
    return whole.lexically_relative(*tree).generic_string();
  }
  const std::filesystem::path normal = named.lexically_normal();
  const bool leads_out = normal.is_absolute() || *normal.begin() == "..";
  return (leads_out ? whole.relative_path() : normal).generic_string();
}

}  // namespace gpulint

#include "compiler/project/write_changes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "compiler/project/boundary.h"
#include "compiler/project/temporary_file.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

[[nodiscard]] std::optional<Error> refuse_path(const Project& project, const Request& request,
                                               const std::string& path) {
  if (request.allow_outside) return std::nullopt;
  return refuse_leaving(disk(), path, project.config.config.folder);
}

}  // namespace

std::vector<std::string> write_changes(const Project& project, const Request& request,
                                       const ChangedFiles& files) {
  std::vector<std::string> errors;
  for (const auto& [path, file] : files) {
    if (const auto refusal = refuse_path(project, request, path)) {
      errors.push_back(refusal->message);
    } else if (const auto error = replace_file(path, file.before, file.after)) {
      errors.push_back(fmt::format("{}: {}", path, error->message));
    }
  }
  return errors;
}

void remove_leftovers(const Project& project, const Request& request) {
  std::set<std::filesystem::path> folders;
  for (const FileId id : project.inputs) {
    const std::string& path = project.sources.file(id).path();
    if (refuse_path(project, request, path)) continue;
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(path, error);
    if (!error) folders.insert(file.parent_path());
  }
  std::ranges::for_each(folders, remove_stale_temporaries);
}

}  // namespace gpulint

#include "compiler/project/account.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/counted.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view origin_text(const Project& project, FileId file) {
  if (project.context_only.contains(file)) return ", only for comparison";
  const auto is_named = std::ranges::find(project.named, file) != project.named.end();
  return is_named ? ", named" : "";
}

void add_files(const Project& project, std::vector<std::string>& lines) {
  for (const FileId file : project.inputs) {
    const std::string& path = project.sources.file(file).path();
    if (path == project.config_path) continue;
    const std::size_t documents = project.documents[file].size();
    const auto python = project.python.find(file);
    if (python != project.python.end() && has_tasks_or_remarks(python->second)) {
      lines.push_back(fmt::format("read: {}: tasks in Python{}", path, origin_text(project, file)));
    } else if (documents == 0) {
      lines.push_back(fmt::format("skipped: {}: nothing in it concerns GPUs", path));
    } else {
      lines.push_back(fmt::format("read: {}: {}{}", path, count_text(documents, "document"),
                                  origin_text(project, file)));
    }
  }
  for (const std::string& path : project.excluded) {
    lines.push_back(fmt::format("skipped: {}: excluded by gpulint.yaml", path));
  }
  for (const std::string& path : project.own_outputs) {
    lines.push_back(fmt::format("skipped: {}: output of this run", path));
  }
}

void add_scopes(const Project& project, std::vector<std::string>& lines) {
  for (const Scope& scope : project.scopes) {
    if (scope.files.size() < 2) continue;
    std::vector<std::string_view> paths;
    for (const FileId file : scope.files) paths.push_back(project.sources.file(file).path());
    const std::string why = why_joined(scope, project.sources);
    lines.push_back(fmt::format("joined{}{}: {}{}{}", scope.name.empty() ? "" : " as ", scope.name,
                                fmt::join(paths, ", "), why.empty() ? "" : ": ", why));
  }
}

}  // namespace

std::vector<std::string> describe_account(const Project& project, const Request& request) {
  std::vector<std::string> lines;
  if (project.config_path.empty()) {
    lines.emplace_back(request.no_config
                           ? "configuration: none (--no-config)"
                           : "configuration: none in the folder of the first path or above");
  } else {
    lines.push_back(fmt::format("configuration: {}", project.config_path));
  }
  add_files(project, lines);
  add_scopes(project, lines);
  return lines;
}

}  // namespace gpulint

#include "compiler/driver/accounts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "backends/ink.h"
#include "compiler/base/counted.h"
#include "compiler/driver/report.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view origin_text(const Project& project, FileId file) {
  if (project.context_only.contains(file)) return ", to compare with";
  const auto is_named = std::ranges::find(project.named, file) != project.named.end();
  return is_named ? ", named" : "";
}

void print_files(const Project& project) {
  for (const FileId file : project.inputs) {
    const std::string& path = project.sources.file(file).path();
    if (path == project.config_path) continue;
    const std::size_t documents = project.documents[file].size();
    const auto python = project.python.find(file);
    if (python != project.python.end() && says_anything(python->second)) {
      print_error(fmt::format("read: {}: tasks in Python{}", path, origin_text(project, file)));
    } else if (documents == 0) {
      print_error(fmt::format("skipped: {}: nothing in it concerns GPUs", path));
    } else {
      print_error(fmt::format("read: {}: {}{}", path, count_text(documents, "document"),
                              origin_text(project, file)));
    }
  }
  for (const std::string& path : project.excluded) {
    print_error(fmt::format("skipped: {}: `exclude` of gpulint.yaml", path));
  }
  for (const std::string& path : project.own_outputs) {
    print_error(fmt::format("skipped: {}: this run writes it", path));
  }
}

void print_scopes(const Project& project) {
  for (const Scope& scope : project.scopes) {
    if (scope.files.size() < 2) continue;
    std::vector<std::string_view> paths;
    for (const FileId file : scope.files) paths.push_back(project.sources.file(file).path());
    const std::string why = why_joined(scope, project.sources);
    print_error(fmt::format("joined{}{}: {}{}{}", scope.name.empty() ? "" : " as ", scope.name,
                            fmt::join(paths, ", "), why.empty() ? "" : ": ", why));
  }
}

[[nodiscard]] std::string milliseconds(std::chrono::steady_clock::duration time) {
  return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

}  // namespace

void print_account(const Project& project, const Options& options) {
  if (!options.verbose) return;
  if (project.config_path.empty()) {
    print_error(options.no_config ? "configuration: none (--no-config)"
                                  : "configuration: none found upward from the first path");
  } else {
    print_error(fmt::format("configuration: {}", project.config_path));
  }
  print_files(project);
  print_scopes(project);
}

void Stopwatch::lap(std::string_view name) {
  const Clock::time_point now = Clock::now();
  laps_ += fmt::format("{}{} {}", laps_.empty() ? "" : ", ", name, milliseconds(now - last_));
  last_ = now;
}

void Stopwatch::print(const Options& options) const {
  if (!options.verbose) return;
  print_error(fmt::format("took {}{}{}", milliseconds(Clock::now() - begin_),
                          laps_.empty() ? "" : ": ", laps_));
}

}  // namespace gpulint

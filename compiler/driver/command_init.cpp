#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"
#include "compiler/project/overwriting.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view config_file_names[] = {"gpulint.yaml", "gpulint.yml", ".gpulint.yaml"};

/// A configuration file in this folder itself; empty if there is none.
[[nodiscard]] std::string present_config(const fs::path& folder) {
  std::error_code error;
  for (const std::string_view name : config_file_names) {
    if (fs::exists(folder / name, error)) return (folder / name).lexically_normal().string();
  }
  return {};
}

void print_summary(const ProposedConfig& found, const std::string& target) {
  const auto files = [](std::size_t count) {
    return fmt::format("{} file{}", count, count == 1 ? "" : "s");
  };
  std::cerr << fmt::format("wrote {}: {} with nodes, {} with GPU workloads, {} of Flyte values\n",
                           target, files(found.nodes), files(found.workloads), files(found.values));
  if (found.nodes == 0) {
    print_error(fmt::format("found no nodes to compare with; {}", nodes_help));
  }
}

}  // namespace

int run_init(const Options& options) {
  if (options.paths.size() > 1) return refuse(Error{"init takes one folder"});
  const std::string folder = options.paths.empty() ? "." : options.paths.front();
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return refuse(Error{fmt::format("{}: is not a folder", folder)});
  }
  const std::string present = present_config(folder);
  const std::string target = !options.output.empty() ? options.output
                             : present.empty()
                                 ? (fs::path(folder) / "gpulint.yaml").lexically_normal().string()
                                 : present;
  const bool is_printed = target == "-";
  if (!is_printed && !options.force && fs::exists(target, error)) {
    return refuse(Error{fmt::format("{}: already exists (--force overwrites it)", target)});
  }
  Options reading = options;
  reading.paths = {folder};
  reading.no_config = true;
  reading.config.clear();
  reading.reads_around = false;
  reading.outputs = {target};
  const auto project = load_project(reading);
  if (const auto refused =
          is_printed ? std::nullopt : refuse_config_target(*project, reading, target)) {
    return refuse(*refused);
  }
  for (const std::string& message : project->errors) print_error(message);
  const ProposedConfig found = propose_settings(
      *project, target, is_printed ? folder : fs::path(target).parent_path().string());
  if (found.error) return refuse(*found.error);
  if (is_printed) {
    std::cout << found.text;
    return std::cout.flush() && project->errors.empty() ? 0 : 2;
  }
  if (const auto failed = write_file(target, found.text)) {
    return refuse(Error{fmt::format("{}: {}", target, failed->message)});
  }
  if (!options.quiet) print_summary(found, target);
  return project->errors.empty() ? 0 : 2;
}

}  // namespace gpulint

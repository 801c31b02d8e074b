#include "compiler/project/overwriting.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/project/boundary.h"
#include "compiler/project/config_file.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// The first words in the YAML of `compile`, `generate` and `init`.
constexpr std::string_view own_yaml[] = {
    "---\n# task ", "# Values for the chart ", "# Scope ", "# Configuration of Flyte ",
    "# yaml-language-server: $schema=gpulint.schema.json\n# What gpulint cannot read"};

/// Keys of gpulint's JSON documents, next to `version`.
constexpr std::string_view own_keys[] = {"diagnostics", "findings", "pods", "pools", "results"};

[[nodiscard]] bool is_sarif(Node log) {
  const std::vector<Node> runs = log.get("runs").items();
  return !runs.empty() && runs.front().get("tool").get("driver").get("name").text() == "gpulint";
}

[[nodiscard]] bool is_own_json(Node top) {
  if (top.is_sequence()) {  // GitLab
    return std::ranges::all_of(
        top.items(), [](Node each) { return each.get("check_name") && each.get("fingerprint"); });
  }
  if (is_sarif(top)) return true;
  return top.get("version").text() == "1" &&
         std::ranges::any_of(own_keys, [&](std::string_view key) { return bool(top.get(key)); });
}

/// Two outputs may write to devices and pipes, and links may lead to these anywhere.
[[nodiscard]] bool is_file_or_missing(const FileSystem& files, const std::string& path) {
  const FileStatus status = files.status(path);
  return !status.exists() || status.kind == FileStatus::Kind::file;
}

[[nodiscard]] Error refuse_overwriting(const std::string& target, std::string_view what) {
  return {fmt::format("{}: this is {}; it will not be overwritten", target, what)};
}

/// Whether the text is empty, or a report, a baseline or YAML that an earlier run of gpulint wrote.
[[nodiscard]] bool is_own_output(std::string_view text) {
  const std::string_view content = trim(text);
  if (content.empty()) return true;
  if (std::ranges::any_of(own_yaml,
                          [&](std::string_view begin) { return text.starts_with(begin); })) {
    return true;
  }
  if (!content.starts_with('{') && !content.starts_with('[')) return false;
  const SourceFile file(0, "report.json", std::string(text));
  const auto documents = parse_file(file);
  return documents.size() == 1 && documents.front()->errors.empty() &&
         is_own_json(root(*documents.front()));
}

[[nodiscard]] std::optional<Error> refuse_input(const Project& project, const Request& request,
                                                const std::string& target) {
  const FileSystem& files = *project.files;
  if (files.status(target).kind != FileStatus::Kind::file) return std::nullopt;
  for (FileId id = 0; id < project.sources.size(); ++id) {
    if (is_same_file(files, target, project.sources.file(id).path())) {
      return refuse_overwriting(target, "an input");
    }
  }
  const bool reads_standard_input = std::ranges::find(request.paths, "-") != request.paths.end();
  if (reads_standard_input && is_same_file(files, target, "/dev/stdin")) {
    return refuse_overwriting(target, "standard input");
  }
  const bool is_baseline =
      !request.baseline.empty() && is_same_file(files, target, request.baseline);
  if (is_baseline && target != request.write_baseline) {
    return refuse_overwriting(target, "the baseline");
  }
  for (const std::string& path : project.own_outputs) {
    if (!is_same_file(files, target, path)) continue;
    const Result<DecodedBytes> bytes = files.read(path);
    if (bytes.ok() && is_own_output(bytes.value().text)) continue;
    return refuse_overwriting(target, "a file that gpulint did not write");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> refuse_targets(const Project& project, const Request& request) {
  const FileSystem& files = *project.files;
  std::vector<std::string> before;
  for (const std::string& target : request.outputs) {
    if (!is_file_or_missing(files, target)) continue;
    if (auto error = refuse_input(project, request, target)) return error;
    if (!request.allow_outside) {
      if (auto error = refuse_leaving(files, target, project.config.config.folder)) return error;
    }
    const auto is_same = [&](const std::string& other) {
      return is_same_file(files, target, other) ||
             resolve_links(files, target) == resolve_links(files, other);
    };
    if (std::ranges::any_of(before, is_same)) {
      return Error{fmt::format("{}: two outputs have this path", target)};
    }
    before.push_back(target);
  }
  return std::nullopt;
}

std::optional<Error> refuse_config_target(const Project& project, const Request& request,
                                          const std::string& target) {
  if (!is_config_name(resolve_links(disk(), target).string()))
    return refuse_targets(project, request);
  if (request.allow_outside) return std::nullopt;
  return refuse_leaving(disk(), target, request.paths.front());
}

}  // namespace gpulint

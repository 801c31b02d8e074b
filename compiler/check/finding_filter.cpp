#include "compiler/check/finding_filter.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/project/changed_files.h"
#include "frontend/load.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string parent_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

[[nodiscard]] std::string first_folder(const Request& request) {
  if (request.paths.empty() || request.paths.front() == "-") return ".";
  std::error_code error;
  const std::string& path = request.paths.front();
  return fs::is_directory(path, error) ? path : parent_folder(path);
}

[[nodiscard]] std::optional<Error> keep_changed(const Project& project, const Request& request,
                                                const std::string& since,
                                                std::vector<Diagnostic>& findings) {
  const auto changed = changed_files(first_folder(request), since);
  if (!changed.ok()) return Error{fmt::format("--changed-since: {}", changed.error().message)};
  std::map<FileId, bool> differs;
  const auto is_changed = [&](Span span) {
    const auto [known, is_new] = differs.try_emplace(span.file);
    if (is_new) {
      std::error_code error;
      const fs::path path = fs::weakly_canonical(project.sources.file(span).path(), error);
      known->second = changed.value().contains(path.string());
    }
    return known->second;
  };
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return !is_changed(finding.span) &&
           std::ranges::none_of(finding.related,
                                [&](const Label& label) { return is_changed(label.span); });
  });
  return std::nullopt;
}

[[nodiscard]] Result<Baseline> load_baseline(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes.ok()) return bytes.error();
  const SourceFile file(0, path, std::move(bytes).value().text);
  const auto documents = parse_file(file);
  if (documents.size() != 1 || !documents.front()->errors.empty()) {
    return Error{fmt::format("{}: is not a baseline; write one with --write-baseline", path)};
  }
  BaselineReading reading = read_baseline(root(*documents.front()));
  if (reading.problem.empty()) return std::move(reading.baseline);
  const Position at = file.position(reading.where.span().begin);
  return Error{fmt::format("{}:{}:{}: {}", path, at.line, at.column, reading.problem)};
}

/// The files and rules that a run checked: tells outdated entries of a baseline from those of other
/// files and rules.
class CheckedParts {
 public:
  /// `folder`: the baseline's. The arguments must outlive this.
  CheckedParts(const Project& project, const Request& request, const std::string& folder)
      : request_(request), folder_(canonical(folder)) {
    for (FileId id = 0; id < project.sources.size(); ++id) {
      if (project.context_only.contains(id)) continue;
      const std::string& path = project.sources.file(id).path();
      files_.insert(path);  // standard input has no other name
      files_.insert(canonical(path).string());
    }
    for (const std::string& path : request.paths) roots_.push_back(canonical(path).string());
    if (roots_.empty()) roots_.push_back(canonical(".").string());
  }

  [[nodiscard]] bool has(const Baseline::Key& key) const {
    const RegisteredRule* const rule = find_rule(key.rule);
    const Selection selection{request_.select, request_.ignore, {}, request_.preview};
    const bool is_selected =
        rule == nullptr ? request_.select.empty() : selection.enabled(rule->rule->info);
    const std::string file = (folder_ / key.file).lexically_normal().string();
    return is_selected && (files_.contains(key.file) || files_.contains(file) ||
                           std::ranges::any_of(roots_, [&](const std::string& root) {
                             return file == root || file.starts_with(root + "/");
                           }));
  }

 private:
  [[nodiscard]] static fs::path canonical(const std::string& path) {
    std::error_code error;
    return fs::weakly_canonical(path, error);
  }

  const Request& request_;
  fs::path folder_;
  std::set<std::string> files_;
  std::vector<std::string> roots_;
};

[[nodiscard]] std::optional<Error> hide_known(const Project& project, const Request& request,
                                              std::vector<Diagnostic>& findings,
                                              std::vector<std::string>& notes) {
  const std::string& path = request.baseline;
  Result<Baseline> baseline = load_baseline(path);
  if (!baseline.ok()) return baseline.error();
  std::optional<CheckedParts> checked;  // made on first use
  const auto is_checked = [&](const Baseline::Key& key) {
    if (!checked) checked.emplace(project, request, parent_folder(path));
    return checked->has(key);
  };
  const BaselineUse use = apply_baseline(std::move(baseline).value(), project.sources,
                                         parent_folder(path), is_checked, findings);
  if (use.known > 0) notes.push_back(fmt::format("{} known in {}", use.known, path));
  if (use.grouped > 0) {
    notes.push_back(
        fmt::format("{} is from an older release, with one entry for several workloads: {} "
                    "finding{} matched such entries; write it again with --write-baseline",
                    path, use.grouped, use.grouped == 1 ? "" : "s"));
  }
  if (use.gone > 0) {
    notes.push_back(fmt::format("{} of {} did not occur; write it again with --write-baseline",
                                use.gone, path));
  }
  return std::nullopt;
}

}  // namespace

Result<KeptFindings> filter_findings(const Project& project, const Request& request,
                                     std::vector<Diagnostic> findings) {
  KeptFindings kept{std::move(findings), std::nullopt, {}};
  if (!request.write_baseline.empty()) {
    if (!request.changed_since.empty()) {
      return Error{
          "--write-baseline records everything; it cannot be combined with --changed-since"};
    }
    const std::string folder = parent_folder(request.write_baseline);
    kept.baseline = make_baseline(kept.findings, project.sources, folder);
    kept.notes.push_back(fmt::format(
        "recorded {} in {}", count_text(kept.findings.size(), "finding"), request.write_baseline));
    kept.findings.clear();
    return kept;
  }
  if (!request.baseline.empty()) {
    if (auto error = hide_known(project, request, kept.findings, kept.notes)) return *error;
  }
  if (request.changed_since.empty()) return kept;
  const auto error = keep_changed(project, request, request.changed_since, kept.findings);
  if (error) return *error;
  return kept;
}

}  // namespace gpulint

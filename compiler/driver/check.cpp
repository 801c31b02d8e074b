#include "compiler/driver/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

#include "compiler/base/glob.h"
#include "compiler/driver/verify_fixes.h"
#include "compiler/driver/progress.h"
#include "compiler/engine/run.h"
#include "compiler/engine/suppression.h"

namespace gpulint {
namespace {

/// The user's selection, flags over gpulint.yaml.
[[nodiscard]] Selection make_selection(const Config& config, const Options& options) {
  Selection selection = config.selection;
  if (!options.select.empty()) selection.select = options.select;
  std::ranges::copy(options.ignore, std::back_inserter(selection.ignore));
  return selection;
}

[[nodiscard]] std::string path_below(const std::string& folder, const std::string& path) {
  std::error_code error;
  const std::filesystem::path relative = std::filesystem::proximate(path, folder, error);
  return error ? path : relative.generic_string();
}

void drop_ignored_paths(const Project& project, std::vector<Diagnostic>& findings) {
  const Config& config = project.config.config;
  if (config.per_file_ignores.empty()) return;
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const std::string path = path_below(config.folder, project.sources.file(finding.span).path());
    return std::ranges::any_of(config.per_file_ignores, [&](const PathIgnore& ignore) {
      return glob_matches(ignore.glob, path) &&
             std::ranges::any_of(ignore.rules, [&](const std::string& name) {
               return names_rule(name, *finding.rule);
             });
    });
  });
}

void suppress(const Project& project, const Selection& selection,
              std::vector<Diagnostic>& findings) {
  const RegisteredRule* unused = find_rule("unused-suppression");
  for (FileId id = 0; id < project.documents.size(); ++id) {
    std::vector<const Document*> documents;
    for (const auto& document : project.documents[id]) documents.push_back(document.get());
    const SourceFile& file = project.sources.file(id);
    std::vector<Suppression> suppressions = read_suppressions(file, documents);
    apply_suppressions(suppressions, findings);
    // A selection that leaves rules out says nothing of what suppressions would have silenced.
    if (unused == nullptr || !selection.select.empty()) continue;
    if (!selection.enabled(unused->rule->info)) continue;
    std::ranges::move(report_unused(suppressions, file, unused->rule->info),
                      std::back_inserter(findings));
  }
}

}  // namespace

std::vector<Diagnostic> check_project(const Project& project, const Options& options,
                                      Progress* progress) {
  const Selection selection = make_selection(project.config.config, options);
  std::vector<Diagnostic> findings;
  begin_phase(progress, "checking", project.scopes.size());
  for (const Scope& scope : project.scopes) {
    std::vector<Diagnostic> found = run_rules(scope.corpus, all_rules(), selection);
    verify_fixes(project, scope, selection, options, found);
    std::ranges::move(found, std::back_inserter(findings));
    advance(progress);
  }
  if (const RegisteredRule* rule = find_rule("unknown-config-key");
      rule != nullptr && selection.enabled(rule->rule->info)) {
    std::ranges::move(report_unknown_keys(project.config, rule->rule->info),
                      std::back_inserter(findings));
  }
  drop_ignored_paths(project, findings);
  sort_and_merge(findings);
  suppress(project, selection, findings);
  sort_and_merge(findings);
  return findings;
}

}  // namespace gpulint

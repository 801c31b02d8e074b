#include "compiler/pipeline.h"

#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/base/progress.h"
#include "compiler/check/check.h"
#include "compiler/fix/verify_fixes.h"
#include "compiler/project/loading.h"

namespace gpulint {
namespace {

/// For those who try changes.
[[nodiscard]] std::unique_ptr<Project> load_again(const Request& request, const Overlay& texts) {
  return load_project(request, texts);
}

/// One scope: rules → fixes → findings.
[[nodiscard]] std::vector<Diagnostic> findings_of(const Project& project, const Scope& scope,
                                                  const Request& request) {
  const Selection selection = select_rules(*scope.config, request);
  const CheckedScope checked = check_files(project, scope, selection);
  std::vector<Diagnostic> findings = check_scope(checked);
  findings = verify_fixes(checked, request, load_again, std::move(findings));
  return complete_findings(checked, std::move(findings));
}

}  // namespace

/// read → parse → scopes. The last step calls analyze_scope() for each scope (project/scope.cpp):
/// facts → compile → verdicts. A trial of fixes calls it again, for one scope.
std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                      Progress* progress) {
  std::unique_ptr<Loading> loading = read_files(request, files);
  loading = parse_files(std::move(loading), request, progress);
  ScopePlans plans = group_files(*loading, request);
  return analyze_scopes(std::move(loading), std::move(plans), request, progress);
}

std::unique_ptr<Project> load_project(const Request& request, const Overlay& overlay,
                                      Progress* progress) {
  if (overlay.empty()) return load_project(request, disk(), progress);
  auto files = std::make_unique<const MemoryFiles>(overlay, &disk());
  auto project = load_project(request, *files, progress);
  project->own_files = std::move(files);
  return project;
}

std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                      Progress* progress) {
  const std::size_t scopes = project.scopes.size();
  std::vector<std::vector<Diagnostic>> found(scopes);
  begin_phase(progress, "checking", scopes);
  parallel_for(scopes, request.jobs, [&](std::size_t i) {
    found[i] = findings_of(project, project.scopes[i], request);
    advance(progress);
  });
  return merge_findings(project, request, std::move(found));
}

Explanations explain_workloads(const Project& project, const Placements& placed,
                               const WhyQuestion& question, const Request& request) {
  return explain_workloads(project, placed, question, request, load_again);
}

std::vector<ReportStories> explain_unplaced(const Project& project, const Placements& placed,
                                            const Request& request, std::size_t rows) {
  return explain_unplaced(project, placed, request, load_again, rows);
}

FixOutcome fix_inputs(const Request& request, const FixChooser& wanted, Overlay texts) {
  return fix_in_rounds(request, wanted, std::move(texts), [&](const Overlay& overlay) {
    CheckedProject checked;
    checked.project = load_project(request, overlay);
    checked.findings = check_project(*checked.project, request);
    return checked;
  });
}

}  // namespace gpulint

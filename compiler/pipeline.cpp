#include "compiler/pipeline.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/base/progress.h"
#include "compiler/check/check.h"
#include "compiler/check/place_rendered.h"
#include "compiler/engine/registry.h"
#include "compiler/fix/prove_carried.h"
#include "compiler/fix/verify_fixes.h"
#include "compiler/place/owner_rows.h"
#include "compiler/project/account.h"
#include "compiler/project/changed_files.h"
#include "compiler/project/clusters.h"
#include "compiler/project/loading.h"
#include "compiler/project/not_compared.h"
#include "compiler/project/owner_chains.h"
#include "compiler/why/rendered_places.h"

namespace gpulint {
namespace {

/// read → parse → scopes. The last step calls analyze_scope() for each scope (project/scope.cpp):
/// facts → compile → verdicts. A trial of fixes calls it again, for one scope; so does an edit.
[[nodiscard]] std::unique_ptr<Loading> load(std::unique_ptr<Loading> loading,
                                            const Request& request, Progress* progress) {
  parse_files(*loading, request, progress);
  ScopePlans plans = group_files(*loading, request);
  analyze_scopes(*loading, std::move(plans), request, progress);
  return loading;
}

/// For those who try changes.
[[nodiscard]] std::unique_ptr<Project> load_again(const Request& request, const Overlay& texts) {
  return load_project(request, texts);
}

/// Texts replace files of `files`, which must outlive the project. `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_over(const FileSystem& files, const Request& request,
                                                 const Overlay& texts,
                                                 Progress* progress = nullptr) {
  if (texts.empty()) return load_project(request, files, progress);
  auto changed = std::make_unique<const MemoryFiles>(texts, &files);
  auto project = load_project(request, *changed, progress);
  project->own_files = std::move(changed);
  return project;
}

/// For those who try changes of a project.
[[nodiscard]] LoadProject loading_over(const Project& project) {
  return [&files = *project.files](const Request& request, const Overlay& texts) {
    return load_over(files, request, texts);
  };
}

/// One scope, after the rules about single files: rules → fixes → findings.
[[nodiscard]] ScopeFindings findings_of(const CheckedScope& checked, const Request& request) {
  ScopeFindings found = check_scope(checked, nullptr);
  found.findings =
      verify_fixes(checked, request, loading_over(checked.project), std::move(found.findings));
  found.findings = complete_findings(checked, std::move(found.findings));
  return found;
}

/// The findings of each scope, before they are merged.
[[nodiscard]] std::vector<std::vector<Diagnostic>> findings_by_scope(const Project& project,
                                                                     const Request& request,
                                                                     Progress* progress) {
  const std::size_t scopes = project.scopes.size();
  std::vector<std::vector<Diagnostic>> found(scopes);
  begin_phase(progress, "checking", scopes);
  parallel_for(scopes, request.jobs, [&](std::size_t i) {
    const Scope& scope = project.scopes[i];
    const Selection selection = select_rules(*scope.config, request);
    found[i] = findings_of(check_files(project, scope, selection), request).findings;
    advance(progress);
  });
  return found;
}

[[nodiscard]] auto count_unrendered(const Project& project) {
  return std::ranges::count_if(project.rendered.all,
                               [](const auto& chart) { return !chart->error.empty(); });
}

/// Moves findings of rendered text to the lines that decide it, with fixes that were tried.
[[nodiscard]] std::vector<std::vector<Diagnostic>> place_in_sources(
    const Project& project, const Request& request, std::vector<std::vector<Diagnostic>> found) {
  if (project.rendered.by_file.empty()) return found;
  const FindingCounts before = count_findings(project, found);
  const auto count_again = [&](const Overlay& texts) -> std::optional<FindingCounts> {
    const auto again = load_over(*project.files, request, texts);
    if (count_unrendered(*again) > count_unrendered(project)) return std::nullopt;
    return count_findings(*again, findings_by_scope(*again, request, nullptr));
  };
  found = place_rendered(project, request, std::move(found));
  for (std::vector<Diagnostic>& some : found) {
    prove_carried_fixes(project, request, before, count_again, some);
  }
  return found;
}

[[nodiscard]] CheckedProject load_checked(const FileSystem& files, const Request& request,
                                          const Overlay& texts) {
  auto project = load_over(files, request, texts);
  std::vector<Diagnostic> findings = check_project(*project, request);
  return {std::move(project), std::move(findings)};
}

/// Checks the inputs of a request with other texts.
[[nodiscard]] CheckInputs checking(const FileSystem& files, const Request& request) {
  return [&](const Overlay& texts) { return load_checked(files, request, texts); };
}

}  // namespace

Result<std::unique_ptr<render::Renderer>> find_renderer(std::string_view word) {
  using render::Program;
  return render::Renderer::find(word == "own"    ? Program::own
                                : word == "helm" ? Program::helm
                                                 : Program::any);
}

std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                      Progress* progress) {
  return std::move(load(read_files(request, files), request, progress)->project);
}

std::unique_ptr<Project> load_project(const Request& request, const Overlay& overlay,
                                      Progress* progress) {
  return load_over(disk(), request, overlay, progress);
}

DescribedProject load_described(const Project& project, const Request& request,
                                const EventTexts& given) {
  return read_described(project, request, given, load_again);
}

InputNames find_inputs(const Request& request) { return find_input_names(request, disk()); }
ConfigCheck check_config(const Request& request) { return check_config(request, disk()); }

Result<LoneFile> parse_alone(const std::string& path, bool as_python) {
  return read_lone_file(path, as_python);
}

Result<PipedStream> read_stream() { return read_piped_stream(); }
ReadSummary tell_reading(const Project& project) { return summarize_reading(project); }

Lines account_of(const Project& project, const Request& request) {
  return describe_account(project, request);
}

Lines notes_on_inputs(const Project& project) {
  Lines notes = describe_unmerged(project);
  if (auto note = describe_outside(project); !note.empty()) notes.push_back(note);
  if (auto note = describe_unknown_amounts(project); !note.empty()) notes.push_back(note);
  return notes;
}

Lines notes_on_comparison(const Project& project) {
  Lines notes = describe_not_compared(project);
  if (auto note = describe_uncompared(project); !note.empty()) notes.push_back(note);
  return notes;
}

Lines notes_on_tasks(const Project& project) { return describe_unknown_devices(project); }
Lines notes_on_releases(const Project& project) { return describe_partial_releases(project); }
std::string note_on_missing(const Project& project) { return describe_missing(project); }
std::string note_on_missing_message(const Project& project) {
  return explain_missing_message(project);
}

std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                      Progress* progress) {
  std::vector<std::vector<Diagnostic>> found = findings_by_scope(project, request, progress);
  return merge_findings(project, request, place_in_sources(project, request, std::move(found)));
}

LiveCheck::LiveCheck(Request request, const FileSystem& files) : request_(std::move(request)) {
  loading_ = read_files(request_, files);
  loading_->follows_edits = true;
  loading_ = load(std::move(loading_), request_, nullptr);
  by_scope_.resize(project().scopes.size());
}

LiveCheck::~LiveCheck() = default;

const Project& LiveCheck::project() const { return *loading_->project; }

/// The findings without trials.
void LiveCheck::check(const Scope& scope, OfScope& of) const {
  const Selection selection = select_rules(*scope.config, request_);
  CheckedScope checked =
      of.may_reuse ? check_edited_files(project(), scope, selection, of.edited, of.of_files)
                   : check_files(project(), scope, selection);
  of.found = check_scope(checked, of.was_checked ? &of.found.consequences : nullptr);
  of.found.findings = complete_findings(checked, std::move(of.found.findings));
  of.of_files = std::move(checked.of_files);
  of.edited.clear();
  of.was_checked = true;
  of.may_reuse = !is_kustomized(scope.corpus);
  of.needs_no_trial =
      of.found.is_settled && std::ranges::none_of(of.found.findings, [](const Diagnostic& finding) {
        return finding.fix.has_value();
      });
  of.state = of.needs_no_trial ? State::verified : State::checked;
}

std::vector<Diagnostic> LiveCheck::findings() {
  parallel_for(by_scope_.size(), request_.jobs, [&](std::size_t i) {
    if (by_scope_[i].state == State::changed) check(project().scopes[i], by_scope_[i]);
  });
  std::vector<std::vector<Diagnostic>> found;
  for (const OfScope& scope : by_scope_) found.push_back(scope.found.findings);
  return merge_findings(project(), request_, std::move(found));
}

bool LiveCheck::edit(FileId file, std::string text) {
  const auto changed = edit_file(*loading_, request_, file, std::move(text));
  if (!changed) return false;
  std::set<FileId> reached;
  for (const std::size_t i : *changed) {
    const std::vector<FileId>& files = project().scopes[i].files;
    reached.insert(files.begin(), files.end());
    by_scope_[i].state = State::changed;
    by_scope_[i].edited.insert(file);
  }
  // a fix is tried in all scopes that read its file
  for (std::size_t i = 0; i < by_scope_.size(); ++i) {
    OfScope& scope = by_scope_[i];
    if (scope.state != State::verified || scope.needs_no_trial) continue;
    const bool is_reached = std::ranges::any_of(
        project().scopes[i].files, [&](FileId each) { return reached.contains(each); });
    if (is_reached) scope.state = State::checked;
  }
  return true;
}

bool LiveCheck::verify(std::size_t scope) {
  OfScope& of = by_scope_[scope];
  if (of.state == State::verified) return false;
  if (of.state == State::changed) check(project().scopes[scope], of);
  const Selection selection = select_rules(*project().scopes[scope].config, request_);
  of.found = findings_of({project(), project().scopes[scope], selection, of.of_files}, request_);
  of.state = State::verified;
  return true;
}

bool LiveCheck::verify_file(FileId file) {
  bool has_verified = false;
  for (std::size_t i = 0; i < by_scope_.size(); ++i) {
    const bool holds = std::ranges::binary_search(project().scopes[i].files, file);
    has_verified = (holds && verify(i)) || has_verified;
  }
  return has_verified;
}

bool LiveCheck::verify_next() {
  for (std::size_t i = 0; i < by_scope_.size(); ++i) {
    if (verify(i)) return true;
  }
  return false;
}

void LiveCheck::verify_all() {
  parallel_for(by_scope_.size(), request_.jobs,
               [&](std::size_t i) { static_cast<void>(verify(i)); });
}

bool LiveCheck::is_verified() const {
  return std::ranges::all_of(by_scope_,
                             [](const OfScope& scope) { return scope.state == State::verified; });
}

CheckedProject check_again(const Project& project, const Request& request) {
  return load_checked(disk(), request, standard_input_of(project.sources, request));
}

std::vector<Diagnostic> fold_findings(const Project& project, std::vector<Diagnostic> findings) {
  group_by_owner(project, findings);
  explain_other_languages(project, findings);
  return findings;
}

Result<KeptFindings> keep_findings(const Project& project, const Request& request,
                                   std::vector<Diagnostic> findings) {
  return filter_findings(project, request, std::move(findings));
}

std::vector<Diagnostic> point_to_changes(const Project& project, const Request& request,
                                         std::vector<Diagnostic> findings) {
  return point_to_changes(project, request, load_again, std::move(findings));
}

FindingPlaces find_places(const Project& project, const Request& request,
                          const std::vector<Diagnostic>& findings) {
  return places_of_findings(project, request, findings);
}

Suppressed suppress(const Project& project, const std::vector<Diagnostic>& findings,
                    const Request& request, const std::string& reason) {
  const std::vector<Diagnostic> before = check_project(project, request);
  return suppress_findings(project, before, findings, reason, checking(disk(), request));
}

FixOutcome fix_inputs(const Request& request, const FixChooser& wanted, Overlay texts) {
  return fix_in_rounds(request, wanted, std::move(texts), checking(disk(), request));
}

FixOutcome fix_inputs(const Request& request, const FixChooser& wanted, const FileSystem& files) {
  return fix_in_rounds(request, wanted, {}, checking(files, request));
}

CompiledPods compile_tasks(const Project& project) { return compile_pods(project); }
std::vector<const Cluster*> find_clusters(const Project& project) { return clusters_of(project); }

Placements place_project(const Project& project) {
  Placements placed = place_workloads(project);
  fold_owned(project, placed);
  return placed;
}

std::vector<Toleration> admit_first_pod(const Project& project) {
  return tolerations_of_first_pod(project);
}

Result<EventTexts> read_events(const std::string& event, const Request& request) {
  return read_event_option(event, request);
}

EventTexts events_of(const Project& project) { return find_events(project); }

WhySubjects find_subjects(const Placements& placed, const Request& request) {
  return choose_subjects(placed, request);
}

CheckedEvents tell_events(EventTexts texts, std::vector<std::string> described,
                          const Project& project, const WhySubjects& subjects,
                          const Request& request) {
  return check_events(std::move(texts), std::move(described), project, subjects, request);
}

Explanations explain_workloads(const Project& project, const Placements& placed,
                               const std::vector<WhySubject>& chosen, const CheckedEvents& events,
                               StoryDetail detail, const Request& request) {
  return explain_workloads(project, placed, chosen, events, detail, request, load_again);
}

void show_deciding_places(Project& project, const Request& request,
                          const std::vector<why::Story>& stories) {
  if (project.rendered.by_file.empty()) return;
  project.sources.show_instead(find_deciding_places(project, request, why::places_in(stories)));
}

std::vector<ReportStories> explain_unplaced(const Project& project, const Placements& placed,
                                            const Request& request, std::size_t rows) {
  return explain_unplaced(project, placed, request, load_again, rows);
}

GeneratedConfig generate_config(const Project& project, bool bare) {
  return generate_for_project(project, bare);
}

ProposedConfig propose_settings(const Project& project, const std::string& target,
                                const std::string& folder) {
  return propose_config(project, target, folder);
}

Result<policy::ClusterPolicies> find_policies(const Project& project, const Request& request,
                                              const policy::PolicyRequest& how) {
  const Result<const Scope*> scope = only_cluster(project);
  if (!scope.ok()) return scope.error();
  const Scope& cluster = *scope.value();
  return policy::policies_for(cluster.corpus, all_rules(), own_policies(project, cluster),
                              select_rules(*cluster.config, request), how);
}

policy::PolicyDrift compare_policies(std::string_view path, std::string_view before,
                                     std::string_view now) {
  return policy::find_drift(path, before, now);
}

std::string current_revision() { return revision_of_current_folder(); }

}  // namespace gpulint

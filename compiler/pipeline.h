#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/check.h"
#include "compiler/check/finding_filter.h"
#include "compiler/fix/fix.h"
#include "compiler/fix/suppress_findings.h"
#include "compiler/generate/generate.h"
#include "compiler/place/placements.h"
#include "compiler/policy/cluster_policies.h"
#include "compiler/project/compiled_pods.h"
#include "compiler/project/event_texts.h"
#include "compiler/project/finding_places.h"
#include "compiler/project/input_names.h"
#include "compiler/project/lone_file.h"
#include "compiler/project/project.h"
#include "compiler/project/project_notes.h"
#include "compiler/project/read_summary.h"
#include "compiler/project/resource_list.h"
#include "compiler/project/survey.h"
#include "compiler/render/renderer.h"
#include "compiler/why/explain.h"

// The whole program in one file: what happens to the inputs of a run, from bytes to answers.
// Commands call only these functions, and print the results. The pipeline knows no command line,
// output format or terminal.

namespace gpulint {

class Progress;
struct Loading;
using Lines = std::vector<std::string>;  // ready to print

// bytes → project

/// Finds the program that renders, as `--render=WORD` names it: any, own or helm. No program is
/// started before something is rendered.
[[nodiscard]] Result<std::unique_ptr<render::Renderer>> find_renderer(std::string_view word);

/// Loads what the request names from `files`, which must outlive the project. Never fails as a
/// whole: unreadable files are in `errors`. `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                                    Progress* progress = nullptr);

/// The same, with texts that replace files on disk.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request,
                                                    const Overlay& overlay = {},
                                                    Progress* progress = nullptr);

/// The same, with the pods that only a text of `kubectl describe pod` shows.
[[nodiscard]] DescribedProject load_described(const Project& project, const Request& request,
                                              const EventTexts& given);

/// The files that the request covers.
[[nodiscard]] InputNames find_inputs(const Request& request);

/// The gpulint.yaml in force, and its problems.
[[nodiscard]] ConfigCheck check_config(const Request& request);

/// One file by itself, parsed; `as_python` allows Python, by the file's name.
[[nodiscard]] Result<LoneFile> parse_alone(const std::string& path, bool as_python);

/// Standard input of `filter`.
[[nodiscard]] Result<PipedStream> read_stream();

// project → what was read

[[nodiscard]] ReadSummary tell_reading(const Project& project);
[[nodiscard]] Lines account_of(const Project& project, const Request& request);
/// Notes on unknown parts of the inputs: patches without a base, amounts without a value.
[[nodiscard]] Lines notes_on_inputs(const Project& project);
/// Notes on pods that were not compared with nodes.
[[nodiscard]] Lines notes_on_comparison(const Project& project);
/// Notes on tasks whose accelerator has an unknown name.
[[nodiscard]] Lines notes_on_tasks(const Project& project);
/// Notes on releases with values that are missing from the inputs.
[[nodiscard]] Lines notes_on_releases(const Project& project);
/// The missing input, if there is no workload to place.
[[nodiscard]] std::string note_on_missing(const Project& project);
/// Why a named input that is prose has no answer; empty if no input is prose.
[[nodiscard]] std::string note_on_missing_message(const Project& project);

// project → findings → fixes

/// All findings of a project, final: selected, with severity, not suppressed, sorted. `progress`
/// may be null.
[[nodiscard]] std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                                    Progress* progress = nullptr);

/// The same, for the project's files as they are on disk now.
[[nodiscard]] CheckedProject check_again(const Project& project, const Request& request);

/// Checks inputs while their texts are edited: an edit costs what it reaches.
class LiveCheck {
 public:
  /// Loads the inputs. `files` must outlive it, and always have the newest texts.
  LiveCheck(Request request, const FileSystem& files);
  LiveCheck(const LiveCheck&) = delete;
  LiveCheck& operator=(const LiveCheck&) = delete;
  ~LiveCheck();

  [[nodiscard]] const Project& project() const;
  /// As of check_project() once everything is verified. Before that, a fix may be one that is not
  /// verified, and the findings that others cause may be those of an earlier text.
  [[nodiscard]] std::vector<Diagnostic> findings();

  /// Takes the new text of an input. False if it may change how other files are read: the inputs
  /// have to be loaded again, and this object must not be used any more.
  [[nodiscard]] bool edit(FileId file, std::string text);

  /// Verifies what is checked together with a file. Returns whether there was something to do.
  bool verify_file(FileId file);
  /// The same for some files.
  bool verify_next();
  /// The same for all files.
  void verify_all();
  [[nodiscard]] bool is_verified() const;

 private:
  enum class State : std::uint8_t { changed, checked, verified };
  struct OfScope {
    ScopeFindings found;
    State state = State::changed;
    bool was_checked = false;          // `found` is of an earlier text
    std::vector<Diagnostic> of_files;  // of check_files()
    bool may_reuse = false;            // `of_files`, but for the edited ones
    std::set<FileId> edited;           // since then
    bool needs_no_trial = false;       // no fix, and no finding that may cause others
  };
  void check(const Scope& scope, OfScope& of) const;
  bool verify(std::size_t scope);

  Request request_;
  std::unique_ptr<Loading> loading_;
  std::vector<OfScope> by_scope_;
};

/// Merges findings of an owner and of the objects that it created into one. Adds help for text that
/// is not YAML.
[[nodiscard]] std::vector<Diagnostic> fold_findings(const Project& project,
                                                    std::vector<Diagnostic> findings);

/// The findings that the request selects (finding_filter.h).
[[nodiscard]] Result<KeptFindings> keep_findings(const Project& project, const Request& request,
                                                 std::vector<Diagnostic> findings);

/// Names `gpulint why` in findings about placement without a fix, if it shows a change that was
/// tried.
[[nodiscard]] std::vector<Diagnostic> point_to_changes(const Project& project,
                                                       const Request& request,
                                                       std::vector<Diagnostic> findings);

/// The objects and origins of findings.
[[nodiscard]] FindingPlaces find_places(const Project& project, const Request& request,
                                        const std::vector<Diagnostic>& findings);

/// Comments that suppress the findings, if they cause no new ones. Writes nothing.
[[nodiscard]] Suppressed suppress(const Project& project, const std::vector<Diagnostic>& findings,
                                  const Request& request, const std::string& reason);

/// Applies fixes round by round until nothing changes, at most ten times. Writes nothing. `texts`
/// replace files on disk.
[[nodiscard]] FixOutcome fix_inputs(const Request& request, const FixChooser& wanted,
                                    Overlay texts = {});
/// The same for the files of any file system, which must outlive the result.
[[nodiscard]] FixOutcome fix_inputs(const Request& request, const FixChooser& wanted,
                                    const FileSystem& files);

// project → pods, placements, stories

[[nodiscard]] CompiledPods compile_tasks(const Project& project);
[[nodiscard]] std::vector<const Cluster*> find_clusters(const Project& project);

/// Where workloads and tasks can run. An owner and the pods that it created share a row if they fit
/// the same nodes.
[[nodiscard]] Placements place_project(const Project& project);

/// The first pod's tolerations after admission.
[[nodiscard]] std::vector<Toleration> admit_first_pod(const Project& project);

[[nodiscard]] Result<EventTexts> read_events(const std::string& event, const Request& request);
[[nodiscard]] EventTexts events_of(const Project& project);
[[nodiscard]] WhySubjects find_subjects(const Placements& placed, const Request& request);
[[nodiscard]] CheckedEvents tell_events(EventTexts texts, std::vector<std::string> described,
                                        const Project& project, const WhySubjects& subjects,
                                        const Request& request);

/// The story of each subject, with the smallest change of files that was found, or why there is
/// none.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const std::vector<WhySubject>& chosen,
                                             const CheckedEvents& events, StoryDetail detail,
                                             const Request& request);

/// Lets outputs show the lines of values and templates in place of rendered text.
void show_deciding_places(Project& project, const Request& request,
                          const std::vector<why::Story>& stories);

/// The stories for a page: in each report, those of the first `rows` workloads that do not
/// certainly fit.
[[nodiscard]] std::vector<ReportStories> explain_unplaced(const Project& project,
                                                          const Placements& placed,
                                                          const Request& request, std::size_t rows);

// project → configuration, policies

[[nodiscard]] GeneratedConfig generate_config(const Project& project, bool bare);
[[nodiscard]] ProposedConfig propose_settings(const Project& project, const std::string& target,
                                              const std::string& folder);

/// The selected rules and the user's own policies, for the project's only cluster.
[[nodiscard]] Result<policy::ClusterPolicies> find_policies(const Project& project,
                                                            const Request& request,
                                                            const policy::PolicyRequest& how);
/// How a text of policies differs from the one that would be written now.
[[nodiscard]] policy::PolicyDrift compare_policies(std::string_view path, std::string_view before,
                                                   std::string_view now);

/// The commit checked out in the current folder; empty outside of a work tree.
[[nodiscard]] std::string current_revision();

}  // namespace gpulint

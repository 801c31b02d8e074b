#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
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
#include "compiler/why/explain.h"

// The whole program in one file: what happens to the inputs of a run, from bytes to answers.
// Commands call these functions, and none below them, and print what they return. The pipeline
// knows no command line, no output format and no terminal.

namespace gpulint {

class Progress;
using Lines = std::vector<std::string>;  // ready to print

// bytes → project

/// Loads what the request names from `files`, which must outlive the project. Never fails as a
/// whole: unreadable files are in `errors`. `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                                    Progress* progress = nullptr);

/// The same, with texts that replace files on the disk.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request,
                                                    const Overlay& overlay = {},
                                                    Progress* progress = nullptr);

/// The same with the pods that texts of `kubectl describe pod` show and no file declares.
[[nodiscard]] DescribedProject load_described(const Project& project, const Request& request,
                                              const EventTexts& given);

/// The files that the request is about.
[[nodiscard]] InputNames find_inputs(const Request& request);

/// The gpulint.yaml in force, and what is wrong with it.
[[nodiscard]] ConfigCheck check_config(const Request& request);

/// One file by itself, parsed: `as_python` where its name says so.
[[nodiscard]] Result<LoneFile> parse_alone(const std::string& path, bool as_python);

/// Standard input of `filter`.
[[nodiscard]] Result<PipedStream> read_stream();

// project → what was read

[[nodiscard]] ReadSummary tell_reading(const Project& project);
[[nodiscard]] Lines account_of(const Project& project, const Request& request);
/// Lines on what the inputs leave open: patches without a base, amounts without a value.
[[nodiscard]] Lines notes_on_inputs(const Project& project);
/// Lines on pods that were not compared with nodes.
[[nodiscard]] Lines notes_on_comparison(const Project& project);
/// Lines on accelerators of tasks with an unknown name.
[[nodiscard]] Lines notes_on_tasks(const Project& project);
/// Lines on releases whose values are not all among the inputs.
[[nodiscard]] Lines notes_on_releases(const Project& project);
/// What is missing where there is no workload to place.
[[nodiscard]] std::string note_on_missing(const Project& project);
/// Why a named input of prose has no answer; empty where none is prose.
[[nodiscard]] std::string note_on_prose(const Project& project);

// project → findings → fixes

/// Every finding of a project, final: selected, with its severity, not suppressed, sorted.
/// `progress` may be null.
[[nodiscard]] std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                                    Progress* progress = nullptr);

/// The same of the project's files as the disk has them now.
[[nodiscard]] CheckedProject check_again(const Project& project, const Request& request);

/// One finding for an owner and the objects that it created, with help for text that is not YAML.
[[nodiscard]] std::vector<Diagnostic> fold_findings(const Project& project,
                                                    std::vector<Diagnostic> findings);

/// The findings that the request selects (finding_filter.h).
[[nodiscard]] Result<KeptFindings> keep_findings(const Project& project, const Request& request,
                                                 std::vector<Diagnostic> findings);

/// The objects and origins of findings.
[[nodiscard]] FindingPlaces find_places(const Project& project, const Request& request,
                                        const std::vector<Diagnostic>& findings);

/// Comments that silence the findings, where they make nothing worse. Writes nothing.
[[nodiscard]] Suppressed suppress(const Project& project, const std::vector<Diagnostic>& findings,
                                  const Request& request, const std::string& reason);

/// Applies fixes round by round until nothing changes, at most ten times. Writes nothing.
/// `texts` replace files on the disk.
[[nodiscard]] FixOutcome fix_inputs(const Request& request, const FixChooser& wanted,
                                    Overlay texts = {});

// project → pods, placements, stories

[[nodiscard]] CompiledPods compile_tasks(const Project& project);
[[nodiscard]] std::vector<const Cluster*> find_clusters(const Project& project);

/// Where workloads and tasks can run, with rows: an owner and what it created, where they fit
/// alike.
[[nodiscard]] Placements place_project(const Project& project);

/// The first pod's tolerations after admission.
[[nodiscard]] std::vector<Toleration> admit_first_pod(const Project& project);

[[nodiscard]] Result<EventTexts> read_events(const std::string& event, const Request& request);
[[nodiscard]] EventTexts events_of(const Project& project);
[[nodiscard]] WhySubjects find_subjects(const Placements& placed, const Request& request);
[[nodiscard]] ToldEvents tell_events(EventTexts texts, std::vector<std::string> described,
                                     const Project& project, const WhySubjects& subjects,
                                     const Request& request);

/// Each subject's story with the smallest change of files that was found, or why there is none.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const std::vector<WhySubject>& chosen,
                                             const ToldEvents& events, StoryDetail detail,
                                             const Request& request);

/// The stories for a page: of each report's first `rows` workloads those that do not surely fit.
[[nodiscard]] std::vector<ReportStories> explain_unplaced(const Project& project,
                                                          const Placements& placed,
                                                          const Request& request, std::size_t rows);

// project → configuration, policies

[[nodiscard]] GeneratedConfig generate_config(const Project& project, bool bare);
[[nodiscard]] ProposedConfig propose_settings(const Project& project, const std::string& target,
                                              const std::string& folder);

/// The selected rules and the user's own policies for the one cluster of a project.
[[nodiscard]] Result<policy::ClusterPolicies> find_policies(const Project& project,
                                                            const Request& request,
                                                            const policy::PolicyRequest& how);
/// What differs between a text of policies and the one that would be written now.
[[nodiscard]] policy::PolicyDrift compare_policies(std::string_view path, std::string_view before,
                                                   std::string_view now);

/// The commit that is checked out in the current folder; empty outside of a work tree.
[[nodiscard]] std::string current_revision();

}  // namespace gpulint

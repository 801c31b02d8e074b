#include "compiler/why/explain.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/place/owner_rows.h"
#include "compiler/place/placements.h"
#include "compiler/project/finding_places.h"
#include "compiler/project/input_files.h"
#include "compiler/project/patch_name.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/project/reread.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/groups.h"
#include "compiler/why/story.h"
#include "compiler/why/subject.h"
#include "compiler/why/subjects.h"
#include "compiler/why/tell.h"
#include "compiler/why/ways.h"

namespace gpulint {
namespace {

constexpr std::size_t most_stories = 100;
constexpr std::size_t large_project = 600;  // documents
constexpr std::size_t large_text = 8U << 20U;
constexpr std::size_t usual_trials = 120;
constexpr std::size_t least_trials = 24;
constexpr std::size_t few_workloads = 400;  // a trial takes as long as there are workloads
constexpr std::size_t trials_of_large = 8;
constexpr std::size_t most_in_large = 4;  // workloads
constexpr std::size_t most_single_fixes = 24;
constexpr std::size_t most_groups = 4;

/// Whether Helm wrote the text: `# Source: chart/templates/x.yaml` above each document.
[[nodiscard]] bool is_rendered(std::string_view text) {
  constexpr std::string_view mark = "# Source: ";
  for (std::size_t at = text.find(mark); at != std::string_view::npos;
       at = text.find(mark, at + 1)) {
    const std::size_t end = std::min(text.find_first_of(" \r\n", at + mark.size()), text.size());
    const std::string_view path = text.substr(at + mark.size(), end - at - mark.size());
    const bool is_line = at == 0 || text[at - 1] == '\n';
    if (is_line && path.find("/templates/") != std::string_view::npos) return true;
  }
  return false;
}

[[nodiscard]] std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// The size of a fix: number of edits plus added lines.
[[nodiscard]] std::size_t size_of(const std::vector<Edit>& edits) {
  std::size_t size = 0;
  for (const Edit& edit : edits) size += 1 + line_count(edit.text);
  return size;
}

/// Verdicts of workloads by their keys.
[[nodiscard]] std::map<std::string, Ternary> outlooks(const Placements& placed) {
  std::map<std::string, Ternary> result;
  for (const PlacementReport& report : placed.reports) {
    for (std::size_t w = 0; w < report.names.size(); ++w) {
      Ternary& known = result[workload_key(report, w)];
      known = any_of(known, best_of(report, w));
    }
  }
  return result;
}

[[nodiscard]] std::size_t count_workloads(const Placements& placed) {
  std::size_t count = 0;
  for (const PlacementReport& report : placed.reports) count += report.names.size();
  return count;
}

/// Bytes count too: a List of thousands of nodes is one document.
[[nodiscard]] bool is_large(const Project& project) {
  std::size_t bytes = 0;
  for (FileId id = 0; id < project.sources.size(); ++id) {
    bytes += project.sources.file(id).text().size();
  }
  return project.document_count > large_project || bytes > large_text;
}

/// Fewer for large inputs: many trials would take minutes. `wanted`: number of workloads to search
/// for.
[[nodiscard]] std::size_t trials_for(const Project& project, const Placements& placed,
                                     std::size_t wanted) {
  const std::size_t known = count_workloads(placed);
  if (!is_large(project)) {
    return known <= few_workloads ? usual_trials
                                  : std::max(least_trials, usual_trials * few_workloads / known);
  }
  return wanted <= most_in_large ? trials_of_large : 0;
}

/// Searches for the smallest change of a project's files with which a workload fits: fixes of
/// findings, tolerations, the lines that `generate` would write, and values that nodes have. Tries
/// each by reading and placing everything again. Rejects changes with which another workload would
/// no longer fit.
class ChangeSearch {
 public:
  /// `described`: inputs that are texts of `kubectl describe pod`. All arguments must outlive it.
  ChangeSearch(const Project& project, const Placements& placed, const Request& request,
               const LoadProject& load, std::size_t trials,
               const std::vector<std::string>& described = {})
      : project_(project),
        request_(request),
        load_(load),
        trials_left_(trials),
        trials_for_fixes_(trials / 2) {
    if (trials_left_ == 0) return;
    for (FileId id = 0; id < project.sources.size(); ++id) {
      const SourceFile& file = project.sources.file(id);
      const std::string name = overlay_name(request, file);
      if (name == "-") standard_input_path_ = file.path();
      const bool is_described = std::ranges::find(described, name) != described.end();
      if (is_described) described_.insert(file.path());
      if (name != "-" && !is_described) continue;
      given_[name] = DecodedBytes(std::string(file.text()), file.encoding());
    }
    before_ = outlooks(placed);
  }

  /// nullopt if none is found, or if no trials are left.
  [[nodiscard]] std::optional<why::FileChange> find(const WhySubject& subject,
                                                    const why::Story& story) {
    is_last_cut_short_ = before_.empty();  // the inputs are too large for any trial
    if (is_last_cut_short_) {
      is_cut_short_ = true;
      return std::nullopt;
    }
    present_ = story.fits;
    const Fixes fixes = fixes_for(subject);
    for (const Fix& fix : fixes) {
      if (auto change = try_fixes({fix}, subject.key)) return change;
    }
    Fixes all = fixes;
    bool is_nearest = true;
    for (const why::Group* group : why::worth_trying(story.groups, most_groups)) {
      const Fixes tolerations = tolerations_for(subject, *group);
      if (auto change = try_fixes(tolerations, subject.key)) return change;
      if (is_nearest) all.insert(all.end(), tolerations.begin(), tolerations.end());
      is_nearest = false;
    }
    const auto [known, is_new] = generated_.try_emplace(subject.installation);
    if (is_new) known->second = generated_fixes(subject, project_.sources);
    const Fixes& generated = known->second;
    if (auto change = try_fixes(generated, subject.key)) return change;
    const ValueFixes values = value_fixes(subject, story.groups, project_.sources);
    if (auto change = try_values({}, values, subject.key)) return change;
    is_last_cut_short_ = is_last_cut_short_ || !values.is_complete;
    all.insert(all.end(), generated.begin(), generated.end());
    if (auto change = try_fixes(all, subject.key); all.size() > 1 && change) return change;
    // A wrong value and a missing toleration often come together.
    return all.empty() ? std::nullopt : try_values(all, values, subject.key);
  }

  /// Whether the change edits a text of `kubectl describe pod`: then no file can be edited.
  [[nodiscard]] bool is_of_description(const why::FileChange& change) const {
    return std::ranges::any_of(change.files,
                               [&](const auto& file) { return described_.contains(file.first); });
  }

  /// Whether some search ran out of trials: with large inputs, fewer are allowed.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  /// Whether the last one did.
  [[nodiscard]] bool is_last_cut_short() const { return is_last_cut_short_; }

 private:
  using Fixes = std::vector<Fix>;
  using Files = std::map<std::string, why::FileChange::File>;
  /// Verdicts of all workloads with a change, by their keys. Empty if another workload would no
  /// longer fit. Each change is tried once for all workloads.
  using Outcome = std::map<std::string, Ternary>;

  [[nodiscard]] const std::vector<Diagnostic>& findings_of(const Scope& scope) {
    const auto [at, is_new] = findings_.try_emplace(&scope);
    if (!is_new) return at->second;
    const auto reading = reread(project_, scope, {});
    at->second = run_rules(reading->scope->corpus, all_rules(), Selection{}, scope.jobs);
    return at->second;
  }

  [[nodiscard]] Fixes fixes_for(const WhySubject& subject) {
    Fixes fixes;
    for (const Diagnostic& finding : findings_of(*subject.scope)) {
      if (!finding.fix || finding.fix->edits.empty() || fixes.size() == most_single_fixes) continue;
      const std::vector<Edit>& edits = finding.fix->edits;
      const bool is_of_subject = std::ranges::all_of(
          edits, [&](const Edit& edit) { return may_edit(subject, edit.span); });
      const bool is_known = std::ranges::find(fixes, edits, &Fix::edits) != fixes.end();
      if (is_of_subject && !is_known) fixes.push_back(*finding.fix);
    }
    std::ranges::stable_sort(fixes, {}, [](const Fix& fix) { return size_of(fix.edits); });
    return fixes;
  }

  [[nodiscard]] Fixes tolerations_for(const WhySubject& subject, const why::Group& group) const {
    std::vector<Term> taints;
    std::vector<std::string> names;
    for (const why::FailedTerm& failed : group.terms) {
      if (failed.term.kind != ReasonKind::untolerated_taint || !failed.term.actual) continue;
      taints.push_back(failed.term);
      names.push_back(taint_text(failed.term));
    }
    if (taints.empty()) return {};
    std::vector<Edit> edits = tolerate_edits(subject, taints, project_.sources);
    if (edits.empty()) return {};
    return {{Safety::unsafe, fmt::format("tolerate `{}`", fmt::join(names, "` and `")),
             std::move(edits)}};
  }

  [[nodiscard]] Files apply(const FileEdits& edits) const {
    Files files;
    for (const auto& [id, some] : edits) {
      const SourceFile& file = project_.sources.file(id);
      const std::string& path = file.path();
      const bool is_tried =
          file.encoding() == SourceFile::Encoding::utf8 || described_.contains(path);
      if (!is_tried) return {};
      std::string before(file.text());
      std::string after = apply_edits(before, some);
      if (after == before) continue;
      const bool is_made = is_rendered(before);
      files[path] = {name_in_patch(path), std::move(before), std::move(after), is_made};
    }
    return files;
  }

  [[nodiscard]] Ternary fits_with(const Fixes& fixes, const std::string& key) {
    if (fixes.empty() || !before_.contains(key)) return Ternary::no;
    const auto [tried, is_new] = tried_.try_emplace(merge_fixes(fixes));
    if (is_new && trials_left_ == 0) {
      tried_.erase(tried);
      is_cut_short_ = is_last_cut_short_ = true;
      return Ternary::no;
    }
    if (is_new) tried->second = try_files(apply(tried->first));
    return fits_in(tried->second, key);
  }

  [[nodiscard]] Outcome try_files(const Files& files) {
    if (files.empty()) return {};
    --trials_left_;
    Overlay overlay = given_;
    for (const auto& [path, file] : files) {
      overlay[path == standard_input_path_ ? "-" : path].text = file.after;
    }
    const auto project = load_(request_, overlay);
    Outcome outcome = outlooks(place_workloads(*project));
    const bool is_harmless = std::ranges::all_of(before_, [&](const auto& before) {
      return fits_in(outcome, before.first) >= before.second;
    });
    return is_harmless ? std::move(outcome) : Outcome{};
  }

  [[nodiscard]] static Ternary fits_in(const Outcome& outcome, const std::string& key) {
    const auto at = outcome.find(key);
    return at == outcome.end() ? Ternary::no : at->second;
  }

  /// Tries all fixes, then removes each fix that is not needed.
  [[nodiscard]] std::optional<why::FileChange> try_fixes(Fixes fixes, const std::string& key) {
    const Ternary fits = fits_with(fixes, key);
    if (fits <= present_) return std::nullopt;
    for (std::size_t i = 0; fixes.size() > 1 && i < fixes.size();) {
      Fixes fewer = fixes;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (fits_with(fewer, key) < fits) {
        ++i;
        continue;
      }
      fixes = std::move(fewer);
    }
    std::vector<std::string_view> titles;
    for (const Fix& fix : fixes) titles.push_back(fix.title);
    return why::FileChange{.title = fmt::format("{}", fmt::join(titles, "; ")),
                           .files = apply(merge_fixes(fixes)),
                           .is_certain = fits == Ternary::yes};
  }

  /// Tries each value with the other fixes. Half of the trials are left for fixes.
  [[nodiscard]] std::optional<why::FileChange> try_values(const Fixes& others,
                                                          const ValueFixes& values,
                                                          const std::string& key) {
    for (const Fix& value : values.fixes) {
      if (trials_left_ <= trials_for_fixes_) {
        is_cut_short_ = is_last_cut_short_ = true;
        return std::nullopt;
      }
      Fixes fixes = others;
      fixes.push_back(value);
      if (auto change = try_fixes(std::move(fixes), key)) return change;
    }
    return std::nullopt;
  }

  const Project& project_;
  const Request& request_;
  const LoadProject& load_;
  Overlay given_;                    ///< Standard input, and described pods as manifests.
  std::set<std::string> described_;  ///< Paths of these texts.
  std::string standard_input_path_;  ///< Empty if not an input.
  std::map<const Scope*, std::vector<Diagnostic>> findings_;
  std::map<const flyte::Installation*, Fixes> generated_;  ///< Equal for all tasks of a release.
  Outcome before_;  ///< Before any change. Empty: no trial is allowed.
  std::map<FileEdits, Outcome> tried_;
  Ternary present_ = Ternary::no;  ///< Verdict of the searched workload before any change.
  std::size_t trials_left_;
  std::size_t trials_for_fixes_;
  bool is_cut_short_ = false;
  bool is_last_cut_short_ = false;
};

/// What renders the pod; null if it is written or told.
[[nodiscard]] const RenderedInput* rendered_input(const WhySubject& subject,
                                                  const Project& project) {
  if (subject.subject.pod != nullptr) return nullptr;
  const Placement& placement = *subject.subject.placement;
  const Workload& workload = *placement.workloads()[subject.subject.workload];
  const auto found = project.rendered.by_file.find(workload.object.span().file);
  return found == project.rendered.by_file.end() ? nullptr
                                                 : project.rendered.all[found->second].get();
}

[[nodiscard]] why::Story tell_with_change(ChangeSearch& search, const WhySubject& subject,
                                          const Request& request, const Project& project) {
  why::Story story = why::tell(subject.subject);
  if (story.fits == Ternary::yes) return story;
  if (auto way = why::way_without_defaults(subject.subject)) {
    story.ways = {std::move(*way)};
    story.cannot.clear();
    return story;
  }
  story.change = search.find(subject, story);
  story.is_searched = !search.is_last_cut_short();
  if (story.change && search.is_of_description(*story.change)) {
    story.ways.insert(story.ways.begin(), {.title = story.change->title,
                                           .commands = {},
                                           .remark = "in the object that creates the pod"});
    story.change.reset();
    story.cannot = "the inputs describe the pod but do not contain its manifest";
  } else if (story.change) {
    story.cannot.clear();
  } else if (const RenderedInput* const input = rendered_input(subject, project)) {
    story.cannot = input->is_chart() ? "a chart renders the pod; change the values of the chart"
                                     : "kustomize builds the pod; change the lines above";
  } else if (auto way = way_by_generating(subject, request)) {
    story.cannot =
        "the inputs contain no Flyte values, and Flyte's defaults do not match these nodes";
    story.ways.insert(story.ways.begin(), std::move(*way));
  }
  return story;
}

[[nodiscard]] std::size_t count_unplaced(const Placements& placed) {
  std::size_t count = 0;
  for (const PlacementReport& report : placed.reports) {
    for (std::size_t w = 0; w < report.names.size(); ++w) {
      count += best_of(report, w) == Ternary::yes ? 0 : 1;
    }
  }
  return count;
}

/// All workloads, also those that `--task` and `--workload` do not choose.
[[nodiscard]] std::vector<WhySubject> all_subjects(const Placements& placed, Request request) {
  request.tasks.clear();
  request.workload.clear();
  return choose_subjects(placed, request).chosen;
}

/// Tasks that Flyte rejects, so there is no pod.
[[nodiscard]] std::vector<why::Story> refused_stories(const PlacementReport& report) {
  std::vector<why::Story> stories;
  for (const flyte::CompiledPod* pod : report.refused_tasks) {
    why::Story& story = stories.emplace_back();
    story.workload = fmt::format("Pod/default/{}", pod->task);
    story.task = pod->task;
    story.refusals = {fmt::format("Flyte rejects it ({}): {}", pod->error_stage, pod->error)};
    story.cannot = story.refusals.front();
  }
  return stories;
}

[[nodiscard]] std::string name_of_row(const Placements& placed, const WhySubject& of) {
  return row_name(placed, *of.subject.placement, of.subject.workload);
}

struct Question {
  std::vector<const WhySubject*> subjects;  ///< In the order of the stories.
  std::size_t unplaced = 0;  ///< Number of searches for a change: many get fewer trials each.
};

/// Workloads that fit are left out unless the request or an event names them.
[[nodiscard]] Question ask_about(const Placements& placed, const std::vector<WhySubject>& chosen,
                                 const CheckedEvents& events, bool folds, const Request& request) {
  Question question;
  // The user gave a text about certain pods.
  const bool names_pods =
      events.texts.is_given && !events.texts.events.empty() &&
      (!events.subjects.empty() ||
       std::ranges::none_of(events.texts.events,
                            [](const events::Event& event) { return event.subject.name.empty(); }));
  for (const WhySubject& one : chosen) {
    const bool fits = does_fit(&one);
    const bool is_meant = events.subjects.contains(&one);
    if (names_pods && !is_meant) continue;
    if (folds && !is_meant && name_of_row(placed, one).empty()) continue;
    question.unplaced += fits ? 0 : 1;
    if (!fits || is_meant || names_workloads(request)) question.subjects.push_back(&one);
  }
  return question;
}

/// Whether a help has the text, which may begin with a capital there.
[[nodiscard]] bool has_sentence(std::string_view help, std::string_view text) {
  return text.empty() || help.find(text.substr(1)) != std::string_view::npos;
}

/// `Job/default/train`.
[[nodiscard]] std::string name_of(const FindingObject& object) {
  return object.name_space.empty()
             ? std::string{}
             : fmt::format("{}/{}/{}", object.kind, object.name_space, object.name);
}

/// Whether the help of a workload's findings says the way, or each of its amounts.
[[nodiscard]] bool is_said(const why::Way& way, std::string_view help) {
  const auto is_in_help = [&](const std::string& text) { return has_sentence(help, text); };
  return is_in_help(way.title) ||
         (!way.amounts.empty() && std::ranges::all_of(way.amounts, is_in_help));
}

}  // namespace

std::vector<Diagnostic> point_to_changes(const Project& project, const Request& request,
                                         const LoadProject& load,
                                         std::vector<Diagnostic> findings) {
  if (findings.empty() || is_large(project)) return findings;
  const FindingPlaces places = places_of_findings(project, request, findings);
  std::map<std::string, Diagnostic*> first;  // of each workload without a fix
  std::map<std::string, std::string> help;   // of all findings of a workload
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::string name = name_of(places.objects[i]);
    if (name.empty()) continue;
    help[name] += findings[i].help + "\n";
    if (findings[i].fix) {
      first[name] = nullptr;
    } else if (findings[i].rule->category == "placement") {
      first.try_emplace(name, &findings[i]);
    }
  }
  std::erase_if(first, [](const auto& entry) { return entry.second == nullptr; });
  if (first.empty()) return findings;
  const Placements placed = place_workloads(project);
  const std::size_t affordable = large_project / std::max<std::size_t>(project.document_count, 1);
  ChangeSearch search(project, placed, request, load,
                      std::min(affordable, trials_for(project, placed, first.size())));
  for (const WhySubject& subject : all_subjects(placed, request)) {
    const auto at = first.find(subject.subject.name);
    if (at == first.end() || does_fit(&subject)) continue;
    const why::Story story = tell_with_change(search, subject, request, project);
    const bool has_more = story.change || std::ranges::any_of(story.ways, [&](const why::Way& way) {
                            return !is_said(way, help[at->first]);
                          });
    if (!has_more) continue;
    at->second->add_help(
        fmt::format("run `gpulint why --workload {}` to see a change that helps", at->first));
    first.erase(at);
  }
  return findings;
}

Explanations explain_workloads(const Project& project, const Placements& placed,
                               const std::vector<WhySubject>& chosen, const CheckedEvents& events,
                               StoryDetail detail, const Request& request,
                               const LoadProject& load) {
  const bool folds = detail == StoryDetail::brief && !names_workloads(request);
  const Question question = ask_about(placed, chosen, events, folds, request);
  Explanations result;
  ChangeSearch search(project, placed, request, load,
                      trials_for(project, placed, question.unplaced), events.described);
  for (const WhySubject* subject : question.subjects) {
    why::Story& story =
        result.stories.emplace_back(tell_with_change(search, *subject, request, project));
    if (detail == StoryDetail::all) continue;
    why::keep_shown(story);
    const std::string name = folds ? name_of_row(placed, *subject) : std::string{};
    if (!name.empty()) story.workload = name;
  }
  result.is_cut_short = search.is_cut_short();
  if (!request.workload.empty()) return result;
  for (const PlacementReport& report : placed.reports) {
    std::ranges::move(refused_stories(report), std::back_inserter(result.stories));
  }
  return result;
}

std::vector<ReportStories> explain_unplaced(const Project& project, const Placements& placed,
                                            const Request& request, const LoadProject& load,
                                            std::size_t rows) {
  const std::vector<WhySubject> subjects = all_subjects(placed, request);
  ChangeSearch search(project, placed, request, load,
                      trials_for(project, placed, count_unplaced(placed)));
  std::vector<ReportStories> result;
  std::size_t count = 0;
  auto subject = subjects.begin();  // of the report's first workload
  for (const PlacementReport& report : placed.reports) {
    ReportStories& stories = result.emplace_back();
    const bool has_nodes = !report.placement.classes().empty();
    for (std::size_t w = 0; has_nodes && w < std::min(rows, report.names.size()); ++w) {
      if (best_of(report, w) == Ternary::yes || count >= most_stories) continue;
      const auto offset = static_cast<std::ptrdiff_t>(w);
      stories.unplaced.emplace(w, tell_with_change(search, subject[offset], request, project));
      ++count;
    }
    if (has_nodes) stories.refused = refused_stories(report);
    count += stories.refused.size();
    subject += static_cast<std::ptrdiff_t>(report.names.size());
  }
  return result;
}

}  // namespace gpulint

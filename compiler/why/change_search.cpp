#include "compiler/why/change_search.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/check/run.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/project/input_files.h"
#include "compiler/project/patch_name.h"
#include "compiler/project/reread.h"
#include "compiler/why/groups.h"

namespace gpulint {
namespace {

constexpr std::size_t large_project = 600;  // documents
constexpr std::size_t large_text = 8U << 20U;
constexpr std::size_t usual_trials = 120;
constexpr std::size_t least_trials = 24;
constexpr std::size_t few_workloads = 400;  // a trial takes as long as there are workloads
constexpr std::size_t trials_of_large = 8;
constexpr std::size_t most_in_large = 4;  // workloads
constexpr std::size_t most_single_fixes = 24;
constexpr std::size_t most_groups = 4;

[[nodiscard]] bool is_rendered(std::string_view text) {
  return text.starts_with("# Source: ") || text.find("\n# Source: ") != std::string_view::npos;
}

[[nodiscard]] std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// The size of a step: number of edits plus added lines.
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

/// Fewer for large inputs: many trials would take minutes.
[[nodiscard]] std::size_t trials_for(const Project& project, std::size_t known,
                                     std::size_t wanted) {
  if (!is_large(project)) {
    return known <= few_workloads ? usual_trials
                                  : std::max(least_trials, usual_trials * few_workloads / known);
  }
  return wanted <= most_in_large ? trials_of_large : 0;
}

}  // namespace

ChangeSearch::ChangeSearch(const Project& project, const Placements& placed, const Request& request,
                           const LoadProject& load, std::size_t wanted,
                           const std::vector<std::string>& described)
    : project_(project),
      request_(request),
      load_(load),
      trials_left_(trials_for(project, count_workloads(placed), wanted)) {
  trials_for_fixes_ = trials_left_ / 2;
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
  for (const auto& [key, fits] : outlooks(placed)) {
    keys_.emplace(key, keys_.size());
    fitting_.push_back(fits == Ternary::yes);
  }
}

const std::vector<Diagnostic>& ChangeSearch::findings_of(const Scope& scope) {
  const auto [at, is_new] = findings_.try_emplace(&scope);
  if (!is_new) return at->second;
  const auto judged = reread(project_, scope, {});
  at->second = run_rules(judged->scope->corpus, all_rules(), Selection{}, scope.jobs);
  return at->second;
}

bool ChangeSearch::is_of_description(const why::Change& change) const {
  return std::ranges::any_of(change.files,
                             [&](const auto& file) { return described_.contains(file.first); });
}

Ternary ChangeSearch::fits_with(const Steps& steps, const std::string& key) {
  const auto at = keys_.find(key);
  if (steps.empty() || at == keys_.end()) return Ternary::no;
  const auto [tried, is_new] = tried_.try_emplace(merge_steps(steps));
  if (is_new && trials_left_ == 0) {
    tried_.erase(tried);
    is_cut_short_ = is_last_cut_short_ = true;
    return Ternary::no;
  }
  if (is_new) tried->second = try_texts(apply(steps));
  return tried->second.empty() ? Ternary::no : tried->second[at->second];
}

ChangeSearch::Outcome ChangeSearch::try_texts(const Texts& texts) {
  if (texts.empty()) return {};
  --trials_left_;
  Overlay overlay = given_;
  for (const auto& [path, text] : texts) {
    overlay[path == standard_input_path_ ? "-" : path].text = text;
  }
  const auto project = load_(request_, overlay);
  const Placements placed = place_workloads(*project);
  Outcome outcome(keys_.size(), Ternary::no);
  for (const auto& [key, fits] : outlooks(placed)) {
    if (const auto at = keys_.find(key); at != keys_.end()) outcome[at->second] = fits;
  }
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    if (fitting_[i] && outcome[i] != Ternary::yes) return {};
  }
  return outcome;
}

ChangeSearch::Texts ChangeSearch::apply(const Steps& steps) const {
  Texts texts;
  for (const auto& [id, edits] : merge_steps(steps)) {
    const SourceFile& file = project_.sources.file(id);
    const bool is_tried =
        file.encoding() == SourceFile::Encoding::utf8 || described_.contains(file.path());
    if (!is_tried) return {};
    std::string after = apply_edits(file.text(), edits);
    if (after != file.text()) texts[file.path()] = std::move(after);
  }
  return texts;
}

ChangeSearch::Steps ChangeSearch::fixes_for(const WhySubject& subject) {
  Steps steps;
  for (const Diagnostic& finding : findings_of(*subject.scope)) {
    if (!finding.fix || finding.fix->edits.empty() || steps.size() == most_single_fixes) continue;
    const std::vector<Edit>& edits = finding.fix->edits;
    const bool is_of_subject =
        std::ranges::all_of(edits, [&](const Edit& edit) { return may_edit(subject, edit.span); });
    const bool is_known =
        std::ranges::any_of(steps, [&](const ChangeStep& step) { return step.edits == edits; });
    if (is_of_subject && !is_known) steps.push_back({finding.fix->title, edits});
  }
  std::ranges::stable_sort(steps, {}, [](const ChangeStep& step) { return size_of(step.edits); });
  return steps;
}

ChangeSearch::Steps ChangeSearch::tolerations_for(const WhySubject& subject,
                                                  const why::Group& group) const {
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
  return {{fmt::format("tolerate `{}`", fmt::join(names, "` and `")), std::move(edits)}};
}

why::Change ChangeSearch::change_of(const Steps& steps, const Texts& texts, Ternary fits) const {
  why::Change change;
  for (const ChangeStep& step : steps) {
    change.title += (change.title.empty() ? "" : "; ") + step.title;
  }
  change.is_certain = fits == Ternary::yes;
  for (FileId id = 0; id < project_.sources.size(); ++id) {
    const SourceFile& file = project_.sources.file(id);
    const auto after = texts.find(file.path());
    if (after == texts.end()) continue;
    change.files[file.path()] = {.name = name_in_patch(file.path()),
                                 .before = std::string(file.text()),
                                 .after = after->second,
                                 .is_rendered = is_rendered(file.text())};
  }
  return change;
}

/// Tries all steps, then removes each step that is not needed.
std::optional<why::Change> ChangeSearch::try_steps(Steps steps, const std::string& key) {
  const Ternary fits = fits_with(steps, key);
  if (fits <= present_) return std::nullopt;
  for (std::size_t i = 0; steps.size() > 1 && i < steps.size();) {
    Steps fewer = steps;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits_with(fewer, key) < fits) {
      ++i;
      continue;
    }
    steps = std::move(fewer);
  }
  return change_of(steps, apply(steps), fits);
}

/// Tries each value with the other steps. Half of the trials are left for fixes.
std::optional<why::Change> ChangeSearch::try_values(const Steps& others, const ValueSteps& values,
                                                    const std::string& key) {
  for (const ChangeStep& value : values.steps) {
    if (trials_left_ <= trials_for_fixes_) {
      is_cut_short_ = is_last_cut_short_ = true;
      return std::nullopt;
    }
    Steps steps = others;
    steps.push_back(value);
    if (auto change = try_steps(std::move(steps), key)) return change;
  }
  return std::nullopt;
}

std::optional<why::Change> ChangeSearch::find(const WhySubject& subject, const why::Story& story) {
  is_last_cut_short_ = keys_.empty();  // the inputs are too large for any trial
  if (is_last_cut_short_) {
    is_cut_short_ = true;
    return std::nullopt;
  }
  present_ = story.fits;
  const Steps fixes = fixes_for(subject);
  for (const ChangeStep& fix : fixes) {
    if (auto change = try_steps({fix}, subject.key)) return change;
  }
  Steps all = fixes;
  bool is_nearest = true;
  for (const why::Group* group : why::worth_trying(story.groups, most_groups)) {
    const Steps tolerations = tolerations_for(subject, *group);
    if (auto change = try_steps(tolerations, subject.key)) return change;
    if (is_nearest) all.insert(all.end(), tolerations.begin(), tolerations.end());
    is_nearest = false;
  }
  const auto [known, is_new] = generated_.try_emplace(subject.installation);
  if (is_new) known->second = generated_steps(subject, project_.sources);
  const Steps& generated = known->second;
  if (auto change = try_steps(generated, subject.key)) return change;
  const ValueSteps values = value_steps(subject, story.groups, project_.sources);
  if (auto change = try_values({}, values, subject.key)) return change;
  is_last_cut_short_ = is_last_cut_short_ || !values.is_complete;
  all.insert(all.end(), generated.begin(), generated.end());
  if (auto change = try_steps(all, subject.key); all.size() > 1 && change) return change;
  // A wrong value and a missing toleration often come together.
  return all.empty() ? std::nullopt : try_values(all, values, subject.key);
}

}  // namespace gpulint

#include "compiler/why/explain.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/place/owner_rows.h"
#include "compiler/why/change_search.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/groups.h"
#include "compiler/why/subject.h"
#include "compiler/why/tell.h"

namespace gpulint {
namespace {

constexpr std::size_t most_stories = 100;

[[nodiscard]] why::Story tell_with_change(ChangeSearch& search, const WhySubject& subject,
                                          const Request& request) {
  why::Story story = why::tell(subject.subject);
  if (story.fits == Ternary::yes) return story;
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
                                 const ToldEvents& events, bool folds, const Request& request) {
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

}  // namespace

Explanations explain_workloads(const Project& project, const Placements& placed,
                               const std::vector<WhySubject>& chosen, const ToldEvents& events,
                               StoryDetail detail, const Request& request,
                               const LoadProject& load) {
  const bool folds = detail == StoryDetail::brief && !names_workloads(request);
  const Question question = ask_about(placed, chosen, events, folds, request);
  Explanations result;
  ChangeSearch search(project, placed, request, load, question.unplaced, events.described);
  for (const WhySubject* subject : question.subjects) {
    why::Story& story = result.stories.emplace_back(tell_with_change(search, *subject, request));
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
  ChangeSearch search(project, placed, request, load, count_unplaced(placed));
  std::vector<ReportStories> result;
  std::size_t count = 0;
  auto subject = subjects.begin();  // of the report's first workload
  for (const PlacementReport& report : placed.reports) {
    ReportStories& stories = result.emplace_back();
    const bool has_nodes = !report.placement.classes().empty();
    for (std::size_t w = 0; has_nodes && w < std::min(rows, report.names.size()); ++w) {
      if (best_of(report, w) == Ternary::yes || count >= most_stories) continue;
      const auto offset = static_cast<std::ptrdiff_t>(w);
      stories.unplaced.emplace(w, tell_with_change(search, subject[offset], request));
      ++count;
    }
    if (has_nodes) stories.refused = refused_stories(report);
    count += stories.refused.size();
    subject += static_cast<std::ptrdiff_t>(report.names.size());
  }
  return result;
}

}  // namespace gpulint

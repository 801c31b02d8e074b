#include "compiler/driver/page_answers.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "backends/placement_output.h"
#include "compiler/driver/why_steps.h"
#include "compiler/driver/why_subjects.h"
#include "compiler/why/tell.h"

namespace gpulint {
namespace {

constexpr std::size_t most_stories = 100;

/// Tells the stories of the workloads that fit nowhere, and hangs them on their rows.
class PageTeller {
 public:
  PageTeller(const Project& project, const Request& request, PageAnswers& answers)
      : request_(request),
        answers_(answers),
        subjects_(all_subjects(answers.placed, request)),
        search_(project, answers.placed, request, count_wanted()) {}

  /// Of the report at `at`, whose workloads are the subjects from `first` on.
  void tell(const PlacementReport& report, std::size_t first, PlacementMatrix& matrix) {
    for (std::size_t w = 0; w < matrix.rows.size(); ++w) {
      PlacementMatrix::Row& row = matrix.rows[w];
      if (row.best == Verdict::fits || answers_.stories.size() >= most_stories) continue;
      row.story = &answers_.stories.emplace_back(
          tell_with_change(search_, subjects_.chosen[first + w], request_));
    }
    for (why::Story& story : refused_stories(report)) {
      matrix.refused.push_back(&answers_.stories.emplace_back(std::move(story)));
    }
  }

 private:
  /// Whatever `--task` asks `why` for, a page is about all.
  [[nodiscard]] static WhySubjects all_subjects(const Placements& placed, Request request) {
    request.tasks.clear();
    request.workload.clear();
    return choose_subjects(placed, request);
  }

  [[nodiscard]] std::size_t count_wanted() const {
    std::size_t wanted = 0;
    for (const PlacementReport& report : answers_.placed.reports) {
      for (std::size_t w = 0; w < report.names.size(); ++w) {
        wanted += best_of(report, w) == Ternary::yes ? 0 : 1;
      }
    }
    return wanted;
  }

  const Request& request_;
  PageAnswers& answers_;
  WhySubjects subjects_;
  ChangeSearch search_;
};

}  // namespace

why::Story tell_with_change(ChangeSearch& search, const WhySubject& subject,
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
    story.cannot = "the inputs describe the pod and do not declare it";
  } else if (story.change) {
    story.cannot.clear();
  } else if (auto way = way_by_generating(subject, request)) {
    story.cannot =
        "no values of Flyte's are among the inputs, and its defaults ask for something else";
    story.ways.insert(story.ways.begin(), std::move(*way));
  }
  return story;
}

std::vector<why::Story> refused_stories(const PlacementReport& report) {
  std::vector<why::Story> stories;
  for (const flyte::CompiledPod* pod : report.refused_tasks) {
    why::Story& story = stories.emplace_back();
    story.workload = fmt::format("Pod/default/{}", pod->task);
    story.task = pod->task;
    story.refusals = {fmt::format("Flyte refuses it ({}): {}", pod->error_stage, pod->error)};
    story.cannot = story.refusals.front();
  }
  return stories;
}

PageAnswers answer_for_page(const Project& project, const Request& request, Telling telling) {
  PageAnswers answers;
  answers.placed = place_workloads(project);
  const std::vector<PlacementReport>& reports = answers.placed.reports;
  std::optional<PageTeller> teller;
  if (telling == Telling::stories) teller.emplace(project, request, answers);
  std::size_t first = 0;
  for (const PlacementReport& report : reports) {
    const bool has_nodes = !report.placement.classes().empty();
    if (has_nodes) {
      PlacementMatrix& matrix = answers.matrices.emplace_back(placement_matrix(report));
      if (teller) teller->tell(report, first, matrix);
    } else {
      answers.unplaced += report.names.size();
    }
    first += report.names.size();
  }
  if (std::string note = describe_admission(answers.placed); !note.empty()) {
    answers.notes.push_back(std::move(note));
  }
  return answers;
}

}  // namespace gpulint

#include "compiler/driver/page_answers.h"

#include "backends/placement_output.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

/// Hangs the stories of a report on their rows.
void add_stories(const ReportStories& stories, PlacementMatrix& matrix) {
  for (const auto& [workload, story] : stories.unplaced) {
    matrix.rows[workload].workloads.front().story = &story;
  }
  for (const why::Story& story : stories.refused) matrix.refused.push_back(&story);
}

}  // namespace

PageAnswers answer_for_page(const Project& project, const Request& request, Telling telling) {
  PageAnswers answers;
  answers.placed = place_project(project);
  const std::vector<PlacementReport>& reports = answers.placed.reports;
  if (telling == Telling::stories) {
    answers.stories = explain_unplaced(project, answers.placed, request, most_page_rows);
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].placement.classes().empty()) {
      answers.unplaced += reports[i].names.size();
      continue;
    }
    PlacementMatrix& matrix = answers.matrices.emplace_back(placement_matrix(reports[i]));
    if (!answers.stories.empty()) add_stories(answers.stories[i], matrix);
    arrange_rows(matrix);
  }
  if (!answers.placed.admission_note.empty()) {
    answers.notes.push_back(answers.placed.admission_note);
  }
  return answers;
}

}  // namespace gpulint

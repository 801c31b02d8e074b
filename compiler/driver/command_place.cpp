#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

/// Whether every workload is accepted and certainly fits some node.
[[nodiscard]] bool all_placed(const PlacementReport& report) {
  if (!report.refused_tasks.empty()) return false;
  for (std::size_t w = 0; w < report.placement.workloads().size(); ++w) {
    if (best_of(report, w) != Ternary::yes) return false;
  }
  return true;
}

}  // namespace

int run_place(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  print_task_hints(*project, options);
  const Placements placed = place_project(*project);
  print_notes(notes_on_inputs(*project), options);
  if (!placed.admission_note.empty() && !options.quiet) print_error(placed.admission_note);
  const bool is_empty = placed.reports.empty();
  if (runs_on_defaults(*project) && !options.quiet) {
    print_error("no Flyte configuration among the inputs: tasks are placed with Flyte's defaults");
  }
  const std::vector<std::string> unknown = notes_on_releases(*project);
  for (const std::string& line : unknown) print_error(line);
  if (is_empty && unknown.empty()) {
    print_error("nothing to place: " + note_on_missing(*project));
  }
  if (!is_empty && placed.node_count == 0) {
    print_error(fmt::format("no nodes among the inputs to place workloads on; {}", nodes_help));
  }
  if (options.require_input && placed.node_count == 0) return 2;
  const Presentation presentation{
      .color = wants_color(options.color), .hyperlinks = false, .width = terminal_width()};
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    is_json ? emit_placement_json(placed.reports, project->sources, out)
            : emit_placement_text(placed.reports, presentation, out);
  });
  if (written != 0 || !project->errors.empty()) return 2;
  if (is_empty) return unknown.empty() ? 2 : 1;
  return std::ranges::all_of(placed.reports, all_placed) ? 0 : 1;
}

}  // namespace gpulint

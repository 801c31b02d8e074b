#include <vector>

#include <fmt/format.h>

#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"

namespace gpulint {

int run_nodes(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  const std::vector<const Cluster*> clusters = find_clusters(*project);
  const bool is_empty = clusters.empty();
  if (is_empty) print_error(fmt::format("no nodes or node pools among the inputs; {}", nodes_help));
  const Presentation presentation{
      .color = wants_color(options.color), .hyperlinks = false, .width = terminal_width()};
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    is_json ? emit_nodes_json(clusters, project->sources, out)
            : emit_nodes_text(clusters, project->sources, presentation, out);
  });
  return written != 0 || is_empty || !project->errors.empty() ? 2 : 0;
}

}  // namespace gpulint

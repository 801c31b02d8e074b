#include <vector>

#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/project.h"
#include "compiler/driver/report.h"
#include "compiler/driver/text_output.h"

namespace gpulint {

int run_nodes(const Options& options) {
  const auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  std::vector<const Cluster*> clusters;
  bool is_empty = true;
  for (const Scope& scope : project->scopes) {
    clusters.push_back(&scope.corpus.cluster);
    is_empty = is_empty && scope.corpus.cluster.pools.empty();
  }
  if (is_empty) print_error("no nodes or node pools among the inputs");
  if (is_empty && options.require_input) return 2;
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    is_json ? emit_nodes_json(clusters, project->sources, out)
            : emit_nodes_text(clusters, project->sources, out);
  });
  return written != 0 || !project->errors.empty() ? 2 : 0;
}

}  // namespace gpulint

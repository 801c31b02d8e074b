#include <algorithm>
#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/project.h"
#include "compiler/driver/report.h"
#include "compiler/driver/text_output.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/objects.h"
#include "compiler/schedule/api/api_validation.h"
#include "compiler/schedule/placement.h"

namespace gpulint {
namespace {

/// What the API server says of one workload: of its whole object where that is of a known kind.
[[nodiscard]] std::vector<ApiProblem> refusals_of(const Workload& workload) {
  if (workload.origin == Workload::Origin::manifest) {
    const KubernetesObject object{workload.object, workload.api_version, workload.kind};
    if (is_judged(object)) return validate_object(object);
  }
  if (!workload.pod.node.is_mapping()) return {};
  return validate_pod_template(workload.pod, key_path(workload.pod.node));
}

/// Without a word from the user the admission plugin counts as absent, as in the scheduler's own
/// helpers.
[[nodiscard]] ExtendedResourceToleration admission_for(const Settings& settings) {
  const ExtendedResourceToleration admission = admission_of(settings);
  return admission == ExtendedResourceToleration::on ? admission : ExtendedResourceToleration::off;
}

/// Whether every workload is accepted and may run somewhere.
[[nodiscard]] bool all_placed(const PlacementReport& report) {
  for (std::size_t w = 0; w < report.placement.workloads().size(); ++w) {
    if (!report.refusals[w].empty()) return false;
    if (report.placement.outlook(w).best == Ternary::no) return false;
  }
  return true;
}

}  // namespace

int run_place(const Options& options) {
  const auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  std::deque<Placement> placements;
  std::vector<PlacementReport> reports;
  std::size_t nodes = 0;
  for (const Scope& scope : project->scopes) {
    std::vector<const Workload*> workloads;
    for (const Workload& workload : scope.corpus.workloads) workloads.push_back(&workload);
    if (workloads.empty()) continue;
    nodes += scope.corpus.cluster.pools.size();
    placements.emplace_back(std::move(workloads), scope.corpus.cluster,
                            admission_for(scope.settings));
    PlacementReport report{placements.back(), {}};
    for (const Workload* workload : report.placement.workloads()) {
      report.refusals.push_back(refusals_of(*workload));
    }
    reports.push_back(std::move(report));
  }
  if (reports.empty()) print_error("nothing to place: no workloads among the inputs");
  if (!reports.empty() && nodes == 0)
    print_error("no nodes among the inputs to place workloads on");
  if (options.require_input && (reports.empty() || nodes == 0)) return 2;
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    is_json ? emit_placement_json(reports, out) : emit_placement_text(reports, out);
  });
  if (written != 0 || !project->errors.empty()) return 2;
  return std::ranges::all_of(reports, all_placed) ? 0 : 1;
}

}  // namespace gpulint

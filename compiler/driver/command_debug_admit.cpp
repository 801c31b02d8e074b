#include <iostream>
#include <vector>

#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/report.h"
#include "compiler/model/read_pod.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "compiler/schedule/extended_resource_toleration.h"

namespace gpulint {
namespace {

/// The first pod of the file: of a workload, or a bare PodSpec.
[[nodiscard]] PodSpec first_pod(const Project& project) {
  for (const Scope& scope : project.scopes) {
    if (!scope.corpus.workloads.empty()) return scope.corpus.workloads.front().pod;
    for (const Document* document : scope.corpus.documents) return read_pod_spec(root(*document));
  }
  return {};
}

}  // namespace

int run_debug_admit(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) print_error(error);
  if (!project->errors.empty()) return 2;
  emit_tolerations_json(admit_extended_resources(first_pod(*project)).tolerations, std::cout);
  return 0;
}

}  // namespace gpulint

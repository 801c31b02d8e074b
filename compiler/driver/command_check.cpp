#include <string>
#include <vector>

#include "compiler/driver/add_suppressions.h"
#include "compiler/driver/check.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/filter.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/project.h"
#include "compiler/driver/report.h"

namespace gpulint {

int run_check(const Options& options) {
  const Result<std::vector<Output>> outputs = plan_outputs(options);
  if (!outputs.ok()) return refuse(outputs.error());
  const auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  std::vector<Diagnostic> findings = check_project(*project, options);
  std::vector<std::string> notes;
  if (const auto error = filter_findings(*project, options, findings, notes)) return refuse(*error);
  if (!options.add_suppressions.empty()) {
    return add_suppressions(*project, findings, options, outputs.value());
  }
  const int status = report(*project, findings, options, outputs.value());
  if (!options.quiet) {
    for (const std::string& note : notes) print_error(note);
  }
  return status;
}

}  // namespace gpulint

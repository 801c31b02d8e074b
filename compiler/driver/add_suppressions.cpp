#include "compiler/driver/add_suppressions.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "compiler/analysis/check.h"
#include "compiler/analysis/suppress.h"
#include "compiler/answers/finding_filter.h"
#include "compiler/driver/report.h"

namespace gpulint {

int add_suppressions(const Project& project, const std::vector<Diagnostic>& findings,
                     const Options& options, const std::vector<Output>& outputs) {
  const std::string& reason = options.add_suppressions;
  if (std::ranges::any_of(reason, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return refuse({"--add-suppressions: the reason must stand on one line"});
  }
  if (std::ranges::find(options.paths, "-") != options.paths.end()) {
    return refuse({"--add-suppressions cannot write into standard input"});
  }
  const auto result = suppress_findings(project, findings, options, reason);
  std::vector<Diagnostic> left = check_project(*result, options);
  std::vector<std::string> notes;
  if (const auto error = filter_findings(*result, options, options.changed_since, left, notes))
    return refuse(*error);
  if (!options.quiet) {
    notes.push_back(fmt::format("suppressed {} of {} findings",
                                findings.size() - std::min(left.size(), findings.size()),
                                findings.size()));
  }
  const int status = report(*result, left, options, outputs);
  for (const std::string& note : notes) print_error(note);
  return status;
}

}  // namespace gpulint

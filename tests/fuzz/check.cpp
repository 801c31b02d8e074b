// A file of any bytes, checked twice by every rule: the same findings, in their files.
#include "compiler/analysis/check.h"

#include "compiler/base/check.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  Options options;
  options.paths = {"input.yaml"};
  options.no_config = true;
  options.jobs = 1;
  const Overlay overlay{{"input.yaml", fuzz::to_text(data, size)}};
  const auto project = load_project(options, overlay);
  const std::vector<Diagnostic> findings = check_project(*project, options);
  for (const Diagnostic& finding : findings) {
    const std::size_t end = project->sources.file(finding.span).text().size();
    GPULINT_CHECK(finding.span.begin <= finding.span.end && finding.span.end <= end);
    GPULINT_CHECK(!finding.message.empty());
    for (const Label& label : finding.related) GPULINT_CHECK(label.span.end <= end);
  }
  const auto again = load_project(options, overlay);
  GPULINT_CHECK(check_project(*again, options).size() == findings.size());
  return 0;
}

// A file of any bytes, checked twice by every rule: the same findings, in their files.

#include "compiler/base/check.h"

#include "compiler/pipeline.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  Request request;
  request.paths = {"input.yaml"};
  request.no_config = true;
  request.jobs = 1;
  const Overlay overlay{{"input.yaml", fuzz::to_text(data, size)}};
  const auto project = load_project(request, overlay);
  const std::vector<Diagnostic> findings = check_project(*project, request);
  for (const Diagnostic& finding : findings) {
    const std::size_t end = project->sources.file(finding.span).text().size();
    GPULINT_CHECK(finding.span.begin <= finding.span.end && finding.span.end <= end);
    GPULINT_CHECK(!finding.message.empty());
    for (const Label& label : finding.related) GPULINT_CHECK(label.span.end <= end);
  }
  const auto again = load_project(request, overlay);
  GPULINT_CHECK(check_project(*again, request).size() == findings.size());
  return 0;
}

// A file of any bytes, fixed round by round: what parsed before parses after, comments stay, and
// nothing changes but what the edits say.
#include "compiler/fix/fix.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/edit/fixer.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "frontend/load.h"
#include "tests/fuzz/target.h"
#include "tests/harness/edit_laws.h"

namespace gpulint {
namespace {

constexpr const char* name = "input.yaml";
constexpr int most_rounds = 10;

[[nodiscard]] Request fix_request() {
  Request request;
  request.paths = {name};
  request.no_config = true;
  request.unsafe_fixes = true;
  request.jobs = 1;
  return request;
}

[[nodiscard]] std::string fix_file(const SourceFile& file, const std::vector<Edit>& edits) {
  const SourceFile after(file.id(), file.path(), apply_edits(file.text(), edits));
  const test::Reading was = test::read_around(file);
  const test::Reading is = test::read_around(after);
  // Comments of broken documents are not known, and fixes that would break one are not written.
  if (was.errors == 0) {
    GPULINT_CHECK(is.errors == 0);
    GPULINT_CHECK(test::lost_comments(was, is).empty());
    GPULINT_CHECK(test::stray_changes(file, after, edits).empty());
  }
  return std::string(is.errors <= was.errors ? after.text() : file.text());
}

}  // namespace
}  // namespace gpulint

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const Request request = fix_request();
  Overlay texts{{name, decode_bytes(fuzz::to_text(data, size)).text}};
  for (int round = 0; round < most_rounds; ++round) {
    const auto project = load_project(request, texts);
    const FixPlan plan = plan_round(project->sources, check_project(*project, request));
    if (plan.edits.empty()) return 0;
    const auto& [id, edits] = *plan.edits.begin();
    const std::string after = fix_file(project->sources.file(id), edits);
    if (after == texts[name].text) return 0;
    texts[name] = after;
  }
  return 0;
}

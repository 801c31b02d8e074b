#include "tests/harness/render.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "backends/backend.h"
#include "backends/unified_diff.h"
#include "compiler/driver/options.h"
#include "compiler/driver/report.h"
#include "compiler/edit/fixer.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"

namespace gpulint::test {
namespace {

/// The texts of other rules are the same for every input, and dearer than all the rest.
void keep_found_rules(const std::vector<Diagnostic>& findings, Run& run) {
  std::erase_if(run.rules, [&](const RuleText& rule) {
    return std::ranges::none_of(
        findings, [&](const Diagnostic& finding) { return finding.rule == rule.info; });
  });
}

}  // namespace

std::size_t render_everything(const std::string& text) {
  constexpr const char* name = "input.yaml";
  Options options;
  options.paths = {name};
  options.no_config = true;
  options.jobs = 1;
  const auto project = load_project(options, {{name, text}});
  const std::vector<Diagnostic> findings = check_project(*project, options);
  Run run = make_run(*project, findings, options);
  const PageAnswers answers = answer_for_page(*project, options, Telling::placements);
  add_cluster(*project, answers, run);
  keep_found_rules(findings, run);
  std::ostringstream out;
  for (const Backend& backend : all_backends()) backend.emit(run, out);
  for (const auto& [file, edits] : plan_fixes(findings, Safety::unsafe).edits) {
    const SourceFile& source = project->sources.file(file);
    out << unified_diff(source.path(), source.text(), apply_edits(source.text(), edits));
  }
  return out.str().size();
}

}  // namespace gpulint::test

// Laws that hold for every rule, checked on every case of every rule (design: one rule, one
// folder).
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/check/run.h"
#include "compiler/driver/options.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/fix/fix.h"
#include "compiler/ir/node.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"
#include "frontend/python/parse.h"
#include "tests/harness/case_runner.h"
#include "tests/harness/edit_laws.h"

namespace {

using namespace gpulint;
using gpulint::test::RuleCase;

/// A case as options for the whole program, all rules on.
class InFolderOf {
 public:
  explicit InFolderOf(const RuleCase& rule_case) : before_(std::filesystem::current_path()) {
    const std::filesystem::path input = rule_case.input;
    std::filesystem::current_path(std::filesystem::is_directory(input) ? input
                                                                       : input.parent_path());
  }
  ~InFolderOf() { std::filesystem::current_path(before_); }
  InFolderOf(const InFolderOf&) = delete;
  InFolderOf& operator=(const InFolderOf&) = delete;

 private:
  std::filesystem::path before_;
};

/// Statements that declare or call something, and comments.
[[nodiscard]] std::pair<std::size_t, std::size_t> count_parts(const SourceFile& file) {
  const python::Module module = python::parse(file);
  return {module.statements.size(), module.comments.size()};
}

/// The file after its edits, which must have changed what they say and nothing else.
[[nodiscard]] std::string fix_file(const SourceFile& file, const std::vector<Edit>& edits) {
  const SourceFile after(file.id(), file.path(), apply_edits(file.text(), edits));
  CAPTURE(file.path(), after.text());
  if (python::is_source(file.path())) {
    CHECK(count_parts(file) == count_parts(after));
    return std::string(after.text());
  }
  const auto was = gpulint::test::read_around(file);
  const auto is = gpulint::test::read_around(after);
  REQUIRE(was.errors == 0);
  CHECK(is.errors == 0);
  const auto separators =
      std::ranges::count_if(edits, [](const Edit& edit) { return edit.text == "---\n"; });
  CHECK(is.documents == was.documents + static_cast<std::size_t>(separators));
  CHECK(gpulint::test::lost_comments(was, is) == std::vector<std::string>{});
  CHECK(gpulint::test::stray_changes(file, after, edits) == std::vector<std::string>{});
  return std::string(after.text());
}

/// What all rules say of a scope, in order.
[[nodiscard]] std::vector<std::string> findings_of(const Scope& scope) {
  std::vector<std::string> told;
  for (const Diagnostic& finding : run_rules(scope.corpus, all_rules(), {}, 1)) {
    told.push_back(std::string(finding.rule->id) + ": " + finding.message);
  }
  return told;
}

/// What the rules with DependsOn::file say of files, in order.
[[nodiscard]] std::multiset<std::string> file_findings(const std::vector<std::string>& paths) {
  Request request;
  request.preview = true;
  request.no_config = true;
  request.paths = paths;
  const auto project = load_project(request);
  std::multiset<std::string> told;
  for (const Scope& scope : project->scopes) {
    for (const Diagnostic& finding : run_file_rules(scope.corpus, all_rules(), {}, 1)) {
      const SourceFile& file = project->sources.file(finding.span);
      told.insert(fmt::format("{} {}:{} {}", finding.rule->id, file.path(), finding.span.begin,
                              finding.message));
    }
  }
  return told;
}

[[nodiscard]] bool take_all(const Project&, const Diagnostic&) { return true; }

}  // namespace

TEST_CASE("messages begin in lower case or with a name, are short, and come with what to do") {
  // A number of one is followed by no plural, a larger one by no singular.
  static const RE2 disagreement(
      "(?:^|[^0-9.`/])(?:1 (?:[a-z]+ )?(?:pods|nodes|GPUs|tasks|Jobs|containers|files|devices)|"
      "(?:[2-9]|[0-9]{2,}) (?:[a-z]+ )?(?:pod|node|GPU|task|Job|container|file|device))(?:[ "
      ",;:]|$)");
  std::size_t count = 0;
  std::size_t length = 0;
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    const InFolderOf folder(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    const auto project = load_project(options);
    for (const Diagnostic& finding : check_project(*project, options)) {
      CAPTURE(rule_case.input, finding.rule->id, finding.message);
      CHECK_FALSE(finding.message.empty());
      CHECK_FALSE(finding.message.ends_with('.'));
      CHECK(finding.message.size() <= 200);
      CHECK_FALSE(RE2::PartialMatch(finding.message, "^(?:A|An|The|No|This|It|Its) |[«»]"));
      CHECK_FALSE(RE2::PartialMatch(finding.message, disagreement));
      ++count;
      length += finding.message.size();
      const bool is_own = find_rule(finding.rule->id) != nullptr;  // a policy says what it says
      CHECK((!is_own || finding.fix || !finding.help.empty()));
    }
  }
  CHECK(length <= 120 * count);
}

TEST_CASE("spans and edits lie in their files, and a second run finds the same") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    const auto project = load_project(options);
    const std::vector<Diagnostic> findings = check_project(*project, options);
    for (const Diagnostic& finding : findings) {
      CAPTURE(finding.rule->id, finding.message);
      CHECK(finding.span.end <= project->sources.file(finding.span).text().size());
      CHECK(finding.span.begin <= finding.span.end);
      for (const Label& label : finding.related) {
        CHECK(label.span.end <= project->sources.file(label.span).text().size());
      }
      if (!finding.fix) continue;
      for (const Edit& edit : finding.fix->edits) {
        CHECK(edit.span.end <= project->sources.file(edit.span).text().size());
      }
      const bool may_fix = finding.rule->fix != FixAvailability::none;
      CHECK(may_fix);
      if (finding.rule->fix == FixAvailability::unsafe) {
        CHECK(finding.fix->safety == Safety::unsafe);
      }
    }
    const auto again = load_project(options);
    const std::vector<Diagnostic> second = check_project(*again, options);
    REQUIRE(second.size() == findings.size());
    for (std::size_t i = 0; i < second.size(); ++i) {
      CHECK(second[i].span == findings[i].span);
      CHECK(second[i].message == findings[i].message);
    }
  }
}

TEST_CASE("what a rule says that judges each file by itself hangs on no other file") {
  constexpr std::size_t at_once = 8;
  std::vector<std::string> paths;
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    if (!std::filesystem::is_directory(rule_case.input)) paths.push_back(rule_case.input);
  }
  std::size_t told = 0;
  for (std::size_t first = 0; first + at_once <= paths.size(); first += at_once) {
    const auto first_path = paths.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::string> group(first_path, first_path + at_once);
    std::multiset<std::string> alone;
    for (const std::string& path : group) alone.merge(file_findings({path}));
    CAPTURE(group);
    CHECK(file_findings(group) == alone);
    told += alone.size();
  }
  CHECK(told > 100);
}

TEST_CASE("every round of fixing changes what its edits say and nothing else") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    Overlay texts;
    constexpr int most_rounds = 10;
    bool is_done = false;
    for (int round = 0; !is_done; ++round) {
      REQUIRE(round <= most_rounds);
      const auto project = load_project(options, texts);
      const FixPlan plan = plan_round(project->sources, check_project(*project, options));
      for (const auto& [id, edits] : plan.edits) {
        const SourceFile& file = project->sources.file(id);
        texts[file.path()] = fix_file(file, edits);
      }
      is_done = plan.edits.empty();
    }
  }
}

TEST_CASE("a scope read again after edits is the scope of the edited files") {
  std::size_t compared = 0;
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    const auto project = load_project(options);
    const FixPlan plan = plan_round(project->sources, check_project(*project, options));
    Overlay texts;
    for (const auto& [id, edits] : plan.edits) {
      const SourceFile& file = project->sources.file(id);
      texts[file.path()] = apply_edits(file.text(), edits);
    }
    const auto fixed = load_project(options, texts);
    if (texts.empty() || fixed->scopes.size() != project->scopes.size()) continue;
    for (std::size_t i = 0; i < project->scopes.size(); ++i) {
      const Scope& scope = project->scopes[i];
      const auto holds = [&](const auto& edited) {
        return std::ranges::find(scope.files, edited.first) != scope.files.end();
      };
      if (!std::ranges::all_of(plan.edits, holds)) continue;  // gpulint.yaml, tasks
      CHECK(findings_of(*reread(*project, scope, plan.edits)->scope) ==
            findings_of(fixed->scopes[i]));
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("fixed files have nothing left to fix, and no finding that was not there before") {
  for (const Safety safety : {Safety::safe, Safety::unsafe}) {
    for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
      CAPTURE(rule_case.input, to_string(safety));
      const InFolderOf folder(rule_case);
      Options options = gpulint::test::options_of(rule_case);
      options.unsafe_fixes = safety == Safety::unsafe;
      const auto project = load_project(options);
      RuleCounts allowed = count_by_rule(check_project(*project, options), Severity::warning);
      const FixOutcome outcome = fix_inputs(options, take_all);
      CHECK(plan_fixes(outcome.remaining, safety).applied == 0);
      for (const auto& [rule, count] : count_by_rule(outcome.remaining, Severity::warning)) {
        CAPTURE(rule);
        CHECK(count <= allowed[rule]);
      }
    }
  }
}

TEST_CASE("a template in place of a scalar adds no finding") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    if (std::filesystem::is_directory(rule_case.input)) continue;
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    const auto project = load_project(options);
    const std::size_t allowed = check_project(*project, options).size();
    if (project->documents.back().empty()) continue;
    const Document& document = *project->documents.back().front();
    const SourceFile& file = project->sources.file(document.file);
    for (NodeIndex i = 0; i < document.nodes.size(); i += 3) {
      const Node node(document, i);
      const bool is_value = node.is_scalar() && (node.key() || node.parent().is_sequence());
      if (!is_value || node.style() == Style::literal || node.style() == Style::folded) continue;
      if (!node.anchor().empty()) continue;
      const std::string masked =
          apply_edits(file.text(), std::vector<Edit>{{node.span(), "\"{{ x }}\""}});
      const auto changed = load_project(options, {{file.path(), masked}});
      CAPTURE(masked);
      CHECK(check_project(*changed, options).size() <= allowed);
    }
  }
}

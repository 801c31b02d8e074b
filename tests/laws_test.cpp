// Laws that hold for every rule, checked on every case of every rule (design: one rule, one
// folder).
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/driver/check.h"
#include "compiler/driver/fix.h"
#include "compiler/driver/options.h"
#include "compiler/driver/project.h"
#include "compiler/engine/fixer.h"
#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/case_runner.h"

namespace {

using namespace gpulint;
using gpulint::test::RuleCase;

/// A case as options for the whole program, all rules on.
[[nodiscard]] Options options_of(const RuleCase& rule_case) {
  std::vector<std::string> words = gpulint::test::case_arguments(rule_case);
  if (const auto at = std::ranges::find(words, "--select"); at != words.end()) {
    words.erase(at, at + 2);
  }
  return gpulint::test::parse_arguments(words);
}

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

struct Comments {
  std::size_t documents = 0;
  std::vector<std::string> texts;  ///< Sorted.
};

[[nodiscard]] Comments comments_of(const std::string& path, const std::string& text) {
  const SourceFile file(0, path, text);
  Comments comments;
  for (const auto& document : parse_file(file)) {
    REQUIRE(document->errors.empty());
    ++comments.documents;
    for (const Span span : document->comments) comments.texts.emplace_back(file.text(span));
  }
  std::ranges::sort(comments.texts);
  return comments;
}

/// Comments that gpulint itself removes: unused suppressions.
void drop_suppressions(std::vector<std::string>& comments) {
  std::erase_if(comments,
                [](const std::string& text) { return text.find("gpulint:") != std::string::npos; });
}

[[nodiscard]] bool take_all(const Project&, const Diagnostic&) { return true; }

}  // namespace

TEST_CASE("messages begin in lower case or code, end without a period, and are short") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    const InFolderOf folder(rule_case);
    const Options options = options_of(rule_case);
    const auto project = load_project(options);
    for (const Diagnostic& finding : check_project(*project, options)) {
      CAPTURE(rule_case.input, finding.rule->id, finding.message);
      CHECK_FALSE(finding.message.empty());
      CHECK_FALSE(finding.message.ends_with('.'));
      CHECK(finding.message.size() <= 200);
    }
  }
}

TEST_CASE("spans and edits lie in their files, and a second run finds the same") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = options_of(rule_case);
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

TEST_CASE("fixed files parse, keep their comments, and have nothing left to fix") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    Options options = options_of(rule_case);
    options.unsafe_fixes = true;
    const FixOutcome outcome = fix_inputs(options, take_all);
    for (const auto& [path, file] : outcome.files) {
      CAPTURE(path, file.after);
      Comments before = comments_of(path, file.before);
      Comments after = comments_of(path, file.after);
      drop_suppressions(before.texts);
      drop_suppressions(after.texts);
      CHECK(before.documents == after.documents);
      CHECK(std::ranges::includes(after.texts, before.texts));
    }
    CHECK(plan_fixes(outcome.remaining, Safety::unsafe).applied == 0);
  }
}

TEST_CASE("a fix adds no finding of another rule at error level") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = options_of(rule_case);
    std::map<std::string_view, std::ptrdiff_t> count;
    const auto project = load_project(options);
    for (const Diagnostic& finding : check_project(*project, options)) ++count[finding.rule->id];
    const FixOutcome outcome = fix_inputs(options, take_all);
    for (const Diagnostic& finding : outcome.remaining) {
      CAPTURE(finding.rule->id, finding.message);
      CHECK(--count[finding.rule->id] >= 0);
    }
  }
}

TEST_CASE("a template in place of a scalar adds no finding") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    if (std::filesystem::is_directory(rule_case.input)) continue;
    CAPTURE(rule_case.input);
    const InFolderOf folder(rule_case);
    const Options options = options_of(rule_case);
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

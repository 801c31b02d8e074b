#include "compiler/check/run.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/opaque.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/project/reread.h"

namespace gpulint {
namespace {

/// Drops fixes that would replace a variable by text, because its definition would lose its effect.
void keep_variables(const SourceSet& sources, std::vector<Diagnostic>& findings) {
  const auto is_kept = [&](const Fix& fix, std::string_view variable) {
    return std::ranges::any_of(
        fix.edits, [&](const Edit& edit) { return edit.text.find(variable) != std::string::npos; });
  };
  const auto loses_variable = [&](const Fix& fix, const Edit& edit) {
    const std::string_view text = sources.file(edit.span).text();
    for (std::size_t at = edit.span.begin; at < edit.span.end;) {
      const auto variable = variable_in(text, at, edit.span.end);
      if (!variable) return false;
      if (!is_kept(fix, variable->text)) return true;
      at = static_cast<std::size_t>(variable->text.data() - text.data()) + variable->text.size();
    }
    return false;
  };
  for (Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    const Fix& fix = *finding.fix;
    if (std::ranges::any_of(fix.edits,
                            [&](const Edit& edit) { return loses_variable(fix, edit); })) {
      finding.fix.reset();
    }
  }
}

/// The findings of the rules with this reach, in the order of the rules.
[[nodiscard]] std::vector<Diagnostic> check_all(const Corpus& corpus, DependsOn depends_on,
                                                std::span<const RegisteredRule> rules,
                                                const Selection& selection, unsigned jobs) {
  // the findings of check_after() must not depend on the selection
  const bool asks_for_rest = std::ranges::any_of(rules, [&](const RegisteredRule& registered) {
    return registered.rule->check_after != nullptr && selection.enabled(registered.rule->info);
  });
  std::vector<std::vector<Diagnostic>> found(rules.size());
  const unsigned threads = jobs_for(corpus.documents.size(), jobs);
  parallel_for(rules.size(), threads, [&](std::size_t i) {
    const Rule& rule = *rules[i].rule;
    if (rule.check == nullptr || rule.depends_on != depends_on) return;
    if (!asks_for_rest && !selection.enabled(rule.info)) return;
    Reporter reporter(rule.info);
    rule.check(corpus, reporter);
    found[i] = reporter.take();
    keep_variables(*corpus.sources, found[i]);
  });
  std::vector<Diagnostic> all;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(all));
  return all;
}

[[nodiscard]] std::vector<Diagnostic> check_after(const Corpus& corpus,
                                                  std::span<const Diagnostic> found,
                                                  std::span<const RegisteredRule> rules,
                                                  const Selection& selection) {
  std::vector<Diagnostic> rest;
  for (const RegisteredRule& registered : rules) {
    const Rule& rule = *registered.rule;
    if (rule.check_after == nullptr || !selection.enabled(rule.info)) continue;
    Reporter reporter(rule.info);
    rule.check_after(corpus, found, reporter);
    std::ranges::move(reporter.take(), std::back_inserter(rest));
  }
  return rest;
}

/// Larger scopes take too long to read again only to shorten the output.
constexpr std::size_t largest_scope = 2000;

using Sayings = std::map<std::pair<std::string_view, std::string>, int>;  // rule, message

[[nodiscard]] Sayings sayings_of(const std::vector<Diagnostic>& findings) {
  Sayings sayings;
  for (const Diagnostic& finding : findings) {
    if (is_about_placement(finding)) ++sayings[{finding.rule->id, finding.message}];
  }
  return sayings;
}

[[nodiscard]] bool is_within(const Scope& scope, const Diagnostic& finding) {
  return std::ranges::all_of(finding.fix->edits, [&](const Edit& edit) {
    return std::ranges::binary_search(scope.files, edit.span.file);
  });
}

}  // namespace

std::vector<Diagnostic> run_rules(const Corpus& corpus, std::span<const RegisteredRule> rules,
                                  const Selection& selection, unsigned jobs) {
  return run_scope_rules(corpus, run_file_rules(corpus, rules, selection, jobs), rules, selection,
                         jobs);
}

std::vector<Diagnostic> run_file_rules(const Corpus& corpus, std::span<const RegisteredRule> rules,
                                       const Selection& selection, unsigned jobs) {
  return check_all(corpus, DependsOn::file, rules, selection, jobs);
}

std::vector<Diagnostic> run_file_rules_again(const Corpus& edited_files,
                                             const std::set<FileId>& edited,
                                             const std::vector<Diagnostic>& before,
                                             std::span<const RegisteredRule> rules,
                                             const Selection& selection, unsigned jobs) {
  std::vector<Diagnostic> found = run_file_rules(edited_files, rules, selection, jobs);
  std::ranges::copy_if(before, std::back_inserter(found), [&](const Diagnostic& finding) {
    return !edited.contains(finding.span.file);
  });
  return found;
}

bool is_kustomized(const Corpus& corpus) {
  return !corpus.made.empty() || !corpus.unmerged.empty() || !corpus.fragments.empty();
}

std::vector<Diagnostic> run_scope_rules(const Corpus& corpus, std::vector<Diagnostic> of_files,
                                        std::span<const RegisteredRule> rules,
                                        const Selection& selection, unsigned jobs) {
  std::vector<Diagnostic> all = std::move(of_files);
  std::ranges::move(check_all(corpus, DependsOn::scope, rules, selection, jobs),
                    std::back_inserter(all));
  std::ranges::move(check_after(corpus, all, rules, selection), std::back_inserter(all));
  std::erase_if(all, [&](const Diagnostic& finding) { return !selection.enabled(*finding.rule); });
  for (Diagnostic& finding : all) {
    finding.severity = selection.severity(*finding.rule, finding.severity);
  }
  return all;
}

RuleCounts count_by_rule(std::span<const Diagnostic> findings, Severity least) {
  RuleCounts counts;
  for (const Diagnostic& finding : findings) {
    if (finding.severity >= least) ++counts[finding.rule->id];
  }
  return counts;
}

std::vector<Diagnostic> check_again(const CheckedScope& before, const Rereading& after) {
  const Scope& scope = *after.scope;
  const Selection& selection = before.selection;
  if (is_kustomized(before.scope.corpus) || is_kustomized(scope.corpus)) {
    return run_rules(scope.corpus, all_rules(), selection, scope.jobs);
  }
  const Corpus edited{build_scope_model(after.sources, scope.settings, after.of_edited, {},
                                        scope.jobs, &before.project.facts)};
  return run_scope_rules(scope.corpus,
                         run_file_rules_again(edited, after.edited, before.of_files, all_rules(),
                                              selection, scope.jobs),
                         all_rules(), selection, scope.jobs);
}

bool is_about_placement(const Diagnostic& finding) {
  return finding.rule->category == "placement" || finding.rule->proof == FixProof::placement;
}

std::vector<Diagnostic> possible_causes(const std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> roots;
  for (const Diagnostic& finding : findings) {
    if (finding.fix && finding.severity == Severity::error && !is_about_placement(finding)) {
      roots.push_back(finding);
    }
  }
  return roots;
}

Consequences find_consequences(const CheckedScope& checked, const std::vector<Diagnostic>& roots,
                               const std::vector<Diagnostic>& findings) {
  const Scope& scope = checked.scope;
  if (roots.empty() || std::ranges::none_of(findings, is_about_placement)) return {};
  if (scope.corpus.objects.size() > largest_scope) return {};
  std::vector<Diagnostic> inside;
  for (const Diagnostic& root : roots) {
    if (is_within(scope, root)) inside.push_back(root);
  }
  const FixPlan plan = plan_fixes(inside, Safety::unsafe);
  if (plan.edits.empty()) return {};
  const Sayings before = sayings_of(findings);
  const auto reading = reread(checked.project, scope, plan.edits);
  const Sayings after = sayings_of(check_again(checked, *reading));
  const bool is_all_known = std::ranges::all_of(after, [&](const auto& saying) {
    const auto known = before.find(saying.first);
    return known != before.end() && saying.second <= known->second;
  });
  Consequences found;
  for (const auto& [saying, count] : before) {
    if (is_all_known && !after.contains(saying)) found.insert(saying);
  }
  return found;
}

}  // namespace gpulint

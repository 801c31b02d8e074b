#include "compiler/check/echoes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/edit/fixer.h"
#include "compiler/project/reread.h"

namespace gpulint {
namespace {

/// Objects of a scope that takes too long to be read again for the sake of shorter output.
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

bool is_about_placement(const Diagnostic& finding) {
  return finding.rule->category == "placement" || finding.rule->proof == FixProof::placement;
}

std::vector<Diagnostic> possible_roots(const std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> roots;
  for (const Diagnostic& finding : findings) {
    if (finding.fix && finding.severity == Severity::error && !is_about_placement(finding)) {
      roots.push_back(finding);
    }
  }
  return roots;
}

void drop_echoes(const CheckedScope& checked, const std::vector<Diagnostic>& roots,
                 std::vector<Diagnostic>& findings) {
  const Scope& scope = checked.scope;
  if (roots.empty() || std::ranges::none_of(findings, is_about_placement)) return;
  if (scope.corpus.objects.size() > largest_scope) return;
  std::vector<Diagnostic> inside;
  for (const Diagnostic& root : roots) {
    if (is_within(scope, root)) inside.push_back(root);
  }
  const FixPlan plan = plan_fixes(inside, Safety::unsafe);
  if (plan.edits.empty()) return;
  const Sayings before = sayings_of(findings);
  const auto reading = reread(checked.project, scope, plan.edits);
  const Sayings after = sayings_of(check_again(checked, *reading));
  const bool is_all_known = std::ranges::all_of(after, [&](const auto& saying) {
    const auto known = before.find(saying.first);
    return known != before.end() && saying.second <= known->second;
  });
  if (!is_all_known) return;
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return is_about_placement(finding) && !after.contains({finding.rule->id, finding.message});
  });
}

}  // namespace gpulint

#include "compiler/edit/fixer.h"

#include <algorithm>
#include <set>

#include "compiler/base/check.h"

namespace gpulint {
namespace {

/// Edits by file and place; disjoint, so that only direct neighbours need comparing.
using Taken = std::map<FileId, std::set<Edit>>;

[[nodiscard]] bool touches(const Edit& a, const Edit& b) {
  if (a.span.begin == b.span.begin) return true;
  const Edit& first = a.span.begin < b.span.begin ? a : b;
  const Edit& second = a.span.begin < b.span.begin ? b : a;
  return first.span.end > second.span.begin;
}

[[nodiscard]] bool conflicts(const std::set<Edit>& taken, const Edit& edit) {
  if (taken.contains(edit)) return false;
  const auto next = taken.lower_bound(edit);
  return (next != taken.end() && touches(*next, edit)) ||
         (next != taken.begin() && touches(*std::prev(next), edit));
}

/// What one fix moves to a place is not what another one moves there, though it reads the same.
[[nodiscard]] bool moves_into(const std::set<Edit>& taken, std::span<const Edit> edits) {
  const bool removes = std::ranges::any_of(
      edits, [](const Edit& edit) { return edit.text.empty() && !edit.span.empty(); });
  const auto is_taken = [&](const Edit& edit) { return taken.contains(edit); };
  return removes && std::ranges::any_of(edits, is_taken) && !std::ranges::all_of(edits, is_taken);
}

}  // namespace

FixPlan plan_fixes(std::span<const Diagnostic> findings, Safety at_most) {
  FixPlan plan;
  Taken taken;
  for (const Diagnostic& finding : findings) {
    if (!finding.fix || (finding.fix->safety == Safety::unsafe && at_most == Safety::safe))
      continue;
    const std::vector<Edit>& edits = finding.fix->edits;
    const bool is_blocked = std::ranges::any_of(edits, [&](const Edit& edit) {
      const std::set<Edit>& others = taken[edit.span.file];
      return conflicts(others, edit) || moves_into(others, edits);
    });
    if (is_blocked) {
      ++plan.postponed;
      continue;
    }
    for (const Edit& edit : edits) taken[edit.span.file].insert(edit);
    ++plan.applied;
  }
  for (const auto& [file, edits] : taken) {
    if (!edits.empty()) plan.edits.emplace(file, std::vector<Edit>(edits.begin(), edits.end()));
  }
  return plan;
}

std::string apply_edits(std::string_view text, std::span<const Edit> edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    GPULINT_CHECK(at <= edit.span.begin && edit.span.end <= text.size());
    result.append(text.substr(at, edit.span.begin - at)).append(edit.text);
    at = edit.span.end;
  }
  return result.append(text.substr(at));
}

}  // namespace gpulint

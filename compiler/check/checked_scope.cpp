#include "compiler/check/checked_scope.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/check/run.h"
#include "compiler/engine/registry.h"
#include "compiler/model/corpus/lower.h"

namespace gpulint {
namespace {

/// What kustomize puts together or leaves in parts hangs on several files.
[[nodiscard]] bool is_kustomized(const Corpus& corpus) {
  return !corpus.made.empty() || !corpus.unmerged.empty() || !corpus.fragments.empty();
}

}  // namespace

std::vector<Diagnostic> check_again(const CheckedScope& before, const Rereading& after) {
  const Scope& scope = *after.scope;
  const Selection& selection = before.selection;
  if (is_kustomized(before.scope.corpus) || is_kustomized(scope.corpus)) {
    return run_rules(scope.corpus, all_rules(), selection, scope.jobs);
  }
  const Corpus edited = lower(after.sources, scope.settings, after.of_edited, {}, scope.jobs);
  std::vector<Diagnostic> of_files = judge_files(edited, all_rules(), selection, scope.jobs);
  std::ranges::copy_if(
      before.of_files, std::back_inserter(of_files),
      [&](const Diagnostic& finding) { return !after.edited.contains(finding.span.file); });
  return judge_scope(scope.corpus, std::move(of_files), all_rules(), selection, scope.jobs);
}

}  // namespace gpulint

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// What fixes are tried on, before they are applied.
class TrialGround {
 public:
  /// The scope. Equal Nodes count once if no fix edits Nodes. `findings`: of the scope.
  TrialGround(const CheckedScope& given, const std::vector<Diagnostic>& findings);
  /// The part that edits of separate workloads reach: without the other separate workloads. Only
  /// totals of pods (quotas, capacity) and conditions between pods need these.
  TrialGround(const TrialGround& whole, const std::map<FileId, std::vector<Edit>>& edits);
  TrialGround(const TrialGround&) = delete;
  TrialGround& operator=(const TrialGround&) = delete;

  [[nodiscard]] const CheckedScope& checked() const { return *checked_; }
  [[nodiscard]] const Scope& scope() const { return checked_->scope; }
  /// Its findings.
  [[nodiscard]] const std::vector<Diagnostic>& findings() const { return findings_; }
  /// Whether the text is in a document with nothing but workloads whose pods no other needs.
  [[nodiscard]] bool is_separate(Span span) const;
  [[nodiscard]] std::unique_ptr<Rereading> apply(
      const std::map<FileId, std::vector<Edit>>& edits) const;

 private:
  [[nodiscard]] bool edits_nodes(const Diagnostic& finding) const;

  const CheckedScope* given_;
  std::optional<SharedNodes> merged_;
  std::set<const Document*> separate_;  // documents; of the whole scope only
  Extract extract_;
  std::unique_ptr<Rereading> reading_;     // null if nothing is left out
  std::optional<CheckedScope> rechecked_;  // of `reading_`
  const CheckedScope* checked_;
  std::vector<Diagnostic> findings_;
};

}  // namespace gpulint

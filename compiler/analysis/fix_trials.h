#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/analysis/fix_harm.h"
#include "compiler/analysis/project.h"
#include "compiler/base/diagnostic.h"
#include "compiler/engine/fixer.h"

namespace gpulint {

/// Tries fixes of one scope: all together, since few do harm and several may be needed for one pod;
/// where that fails, those that do none and those that stand where the harm was, then by halves. A
/// trial reads the scope again, so that there is a limit to them.
class FixTrials {
 public:
  struct Budget {
    int usual;
    int of_large_scopes;
  };
  enum class Verdict { passed, failed, untried };

  /// Carries the plan of these findings' fixes out on a copy; what is wrong with the result.
  using Try = std::function<Harm(const FixPlan&, const std::vector<Diagnostic>&)>;
  /// Hears of each finding once, by its index; `harm` is what the trial of this one alone gave.
  using Hear = std::function<void(std::size_t finding, Verdict, const std::string& harm)>;

  FixTrials(const Scope& scope, Budget budget, Try attempt, Hear hear);

  /// Tries the fixes of `findings` at the indexes of `claimed`. What was spent before is spent.
  void run(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed);

 private:
  /// After a trial that failed.
  void divide(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed,
              const std::vector<std::size_t>& culprits);

  int left_;
  Try attempt_;
  Hear hear_;
};

}  // namespace gpulint

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/engine/baseline.h"

namespace gpulint {

/// Entries of a baseline from before each workload had a finding of its own. "…, which Job `w1` and
/// 1 more requires" in w1.yaml stands for two findings, one of them in another file.
/// `toleration-value-mismatch` named no workload: there an entry stands for any number.
class GroupedEntries {
 public:
  /// Moves such entries out of `counts`.
  explicit GroupedEntries(std::map<Baseline::Key, std::size_t>& counts);

  /// Whether an entry stands for the finding too, whatever its file; it then stands for one less.
  [[nodiscard]] bool take(const Baseline::Key& finding);

  /// The number of findings, as the baseline counts them, of which none occurred.
  [[nodiscard]] std::size_t unused(
      const std::function<bool(const Baseline::Key&)>& is_checked) const;

 private:
  struct Entry {
    Baseline::Key key;
    std::size_t count = 0;
    std::string before;  ///< The message up to the workload; the whole one where it names none.
    std::string behind;
    std::size_t left = 0;
    bool is_used = false;
  };
  std::map<std::string, std::vector<Entry>, std::less<>> by_rule_;
};

}  // namespace gpulint

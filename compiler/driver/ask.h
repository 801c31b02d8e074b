#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "compiler/analysis/project.h"
#include "compiler/base/diagnostic.h"

namespace gpulint {

/// Decides on fixes one by one, by asking on the terminal as `git add -p` does: y takes this one,
/// n leaves it, a takes it and all that follow, q leaves it and all that follow. The end of input
/// counts as q. A fix that was left is not asked about again in later rounds.
class Asker {
 public:
  enum class Mode : std::uint8_t { ask, take_all, leave_all };
  explicit Asker(Mode mode) : mode_(mode) {}

  [[nodiscard]] bool wants(const Project& project, const Diagnostic& finding);

 private:
  Mode mode_;
  std::set<std::string> answered_no_;
};

}  // namespace gpulint

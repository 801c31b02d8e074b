#include "compiler/analysis/refused_tasks.h"

#include <set>

#include <fmt/format.h>

namespace gpulint {

std::vector<std::string> refuse_tasks(const Scopes& scopes) {
  std::vector<std::string> lines;
  std::set<std::string> told;
  for (const Scope& scope : scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      for (const flyte::RefusedTask& refused : flyte::refused_tasks(installation)) {
        if (refused.node || !told.insert(refused.task->name).second) continue;
        lines.push_back(
            fmt::format("--task: Flyte refuses task `{}`: {}", refused.task->name, refused.reason));
      }
    }
  }
  return lines;
}

}  // namespace gpulint

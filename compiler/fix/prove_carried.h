#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"

namespace gpulint {

/// How often each finding occurs before findings in rendered text are moved: by rule, file and
/// message.
using FindingCounts = std::map<std::tuple<std::string, std::string, std::string>, int>;

[[nodiscard]] FindingCounts count_findings(const Project& project,
                                           const std::vector<std::vector<Diagnostic>>& found);

/// Counts the findings with texts that replace files: it renders again. nullopt if
/// something that rendered does not render any more.
using CountAgain = std::function<std::optional<FindingCounts>(const Overlay&)>;

/// Drops fixes of findings in rendered text unless rendering and checking again shows that the
/// finding is gone and that none is new. The help then has the title.
void prove_carried_fixes(const Project& project, const Request& request,
                         const FindingCounts& before, const CountAgain& count_again,
                         std::vector<Diagnostic>& findings);

}  // namespace gpulint

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

/// Which rules run and how severe their findings are. Ids and categories may be mixed freely.
struct Selection {
  std::vector<std::string> select;  ///< Empty: every rule.
  std::vector<std::string> ignore;  ///< Wins over `select`.
  std::map<std::string, Severity, std::less<>> severities;

  [[nodiscard]] bool enabled(const RuleInfo& rule) const;
  /// The severity that a finding ends up with: an override, else the finding's own.
  [[nodiscard]] Severity severity(const RuleInfo& rule, Severity own) const;
};

/// Whether `name` is the rule's id or its category.
[[nodiscard]] bool names_rule(std::string_view name, const RuleInfo& rule);

/// Rules to ignore in the files that match a glob (relative to the config file's folder).
struct PathIgnore {
  std::string glob;
  std::vector<std::string> rules;
};

}  // namespace gpulint

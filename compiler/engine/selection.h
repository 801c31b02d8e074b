#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

/// Which rules run and the severity of their findings. Ids and categories may be mixed.
struct Selection {
  std::vector<std::string> select;  ///< Empty: every rule.
  std::vector<std::string> ignore;  ///< Takes precedence over `select`.
  std::map<std::string, Severity, std::less<>> severities;
  bool preview = false;  ///< Whether rules in preview run.

  [[nodiscard]] bool enabled(const RuleInfo& rule) const;
  /// The final severity of a finding: an override, else the finding's own.
  [[nodiscard]] Severity severity(const RuleInfo& rule, Severity own) const;
};

/// Whether `name` is the rule's id or one of its older ids.
[[nodiscard]] bool is_id_of(std::string_view name, const RuleInfo& rule);
/// Whether `name` is one of those, or the rule's category.
[[nodiscard]] bool names_rule(std::string_view name, const RuleInfo& rule);
[[nodiscard]] std::vector<std::string_view> aliases_of(const RuleInfo& rule);
/// What names_rule() accepts: the id, older ids, the category.
[[nodiscard]] std::vector<std::string_view> names_of(const RuleInfo& rule);

/// Rules to ignore in the files that match a glob (relative to the config file's folder).
struct PathIgnore {
  std::string glob;
  std::vector<std::string> rules;
};

}  // namespace gpulint

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// A block of a `.cel` file: `key: text` on one line, or the indented lines behind `key:`.
struct CelBlock {
  std::string_view key;
  std::string text;  ///< Without the indentation of its first line and without blanks at the end.
};

/// The blocks of a file in order. Lines that begin with `#` and empty ones between blocks are
/// comments.
[[nodiscard]] std::vector<CelBlock> read_cel_blocks(std::string_view file);

/// What rules/<id>/policy.cel says: how the rule is told to the API server, or why it is not.
/// - `none`: the reason why there is no policy; nothing else stands beside it.
/// - `finding`: CEL over the shared variables (compiler/policy/variables.cel): the text of all
///   findings of one object, '' where there are none.
/// - `on`: what it judges: `pods` (and all that makes pods; the default), `nodes`, `quotas`,
///   `claims`.
/// - `needs`: the facts without which it is left out: `nodes`, `runtime-class` …
/// - `looks-at`: the parts of a Pod of which it needs one to have anything to say; others are not
///   evaluated.
/// - `partly`: what the rule finds and the policy does not.
/// - `mutation`: CEL that gives JSON patches, of what the rule's safe fix would write.
/// - `deny: never`: not every finding is an error.
struct RulePolicy {
  enum class On : std::uint8_t { pods, nodes, quotas, claims };

  std::string none;
  std::string finding;
  std::string mutation;
  On on = On::pods;
  std::vector<std::string> needs;
  std::vector<std::string> looks_at;
  std::string partly;
  bool may_deny = true;
  std::string problem;  ///< Why the file is none; empty where it is.

  [[nodiscard]] bool is_written() const { return !finding.empty(); }
};

[[nodiscard]] RulePolicy read_rule_policy(std::string_view file);

/// The line on the rule's page.
[[nodiscard]] std::string policy_note(const RulePolicy& policy);

}  // namespace gpulint

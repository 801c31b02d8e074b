#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// A block of a `.cel` file: `key: text` on one line, or the indented lines after `key:`.
struct CelBlock {
  std::string_view key;
  std::string text;  ///< Without the indentation of its first line and without trailing blanks.
};

/// The blocks of a file in order. Lines that begin with `#`, and empty lines between blocks, are
/// comments.
[[nodiscard]] std::vector<CelBlock> read_cel_blocks(std::string_view file);

/// rules/<id>/policy.cel: how the API server checks the rule, or why it does not. Keys:
/// - `none`: the reason why there is no policy; no other key is allowed with it.
/// - `finding`: CEL over the shared variables (compiler/policy/variables.cel): the text of all
///   findings of one object, '' if there are none.
/// - `on`: the objects that it checks: `pods` (also everything that creates pods; the default),
///   `nodes`, `quotas`, `claims`.
/// - `needs`: the facts that it requires: `nodes`, `runtime-class` … Without them it is left out.
/// - `looks-at`: parts of a Pod. A Pod without any of them is not evaluated.
/// - `partly`: what the rule finds and the policy does not.
/// - `mutation`: CEL that returns JSON patches with the changes of the rule's safe fix.
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
  std::string problem;  ///< Why the file is invalid; empty if it is valid.

  [[nodiscard]] bool is_written() const { return !finding.empty(); }
};

[[nodiscard]] RulePolicy read_rule_policy(std::string_view file);

/// The line about the policy on the rule's page.
[[nodiscard]] std::string policy_note(const RulePolicy& policy);

}  // namespace gpulint

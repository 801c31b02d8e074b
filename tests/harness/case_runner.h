#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/options.h"

namespace gpulint::test {

/// One golden case of a rule: a YAML file, or a folder of files that belong together.
struct RuleCase {
  std::string rule;      ///< The rule's id.
  std::string name;      ///< File or folder name; `ok-…` promises silence.
  std::string input;     ///< Path of the file or folder.
  std::string expected;  ///< Path of the `.expect` file.
  [[nodiscard]] bool promises_silence() const { return name.starts_with("ok-"); }
  /// Whether some of it is Python, which nothing rewrites as YAML.
  [[nodiscard]] bool holds_python() const;
};

/// Every case below rules/*/cases, in order.
[[nodiscard]] std::vector<RuleCase> find_rule_cases();

/// The text output of the rule (of all rules for `ok-` cases) and then the unified diff of all its
/// fixes, safe and unsafe; a case folder may hold `args` with further command-line arguments.
[[nodiscard]] std::string run_rule_case(const RuleCase& rule_case);

/// The command line of a case, without the program's name; its files are named relative to it.
[[nodiscard]] std::vector<std::string> case_arguments(const RuleCase& rule_case);
/// Options of `gpulint check` with these arguments.
[[nodiscard]] Options parse_arguments(const std::vector<std::string>& arguments);
/// The options of a case, with all rules on.
[[nodiscard]] Options options_of(const RuleCase& rule_case);

/// Checks files of `folder` (names relative to it) with further arguments: the text output, then
/// the unified diff of all fixes. Prints nothing else.
[[nodiscard]] std::string check_files(const std::string& folder,
                                      const std::vector<std::string>& arguments);

/// Compares with the file; with GPULINT_UPDATE=1 in the environment rewrites it instead.
/// Returns what differs, empty if nothing.
[[nodiscard]] std::string compare_golden(const std::string& path, const std::string& actual);

/// Everything of a file, empty if it does not exist.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace gpulint::test

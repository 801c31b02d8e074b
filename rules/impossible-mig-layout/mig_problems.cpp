#include "rules/impossible-mig-layout/mig_problems.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "rules/support/article.h"

namespace gpulint::rules::impossible_mig_layout {

std::string flaw_of(const MigConfigProblem& problem) {
  using Kind = MigConfigProblem::Kind;
  const Node at = problem.node;
  const std::string_view key = at.key() ? at.key().text() : at.text();
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "it is no mapping";
    case Kind::unreadable:
      return fmt::format("`{}` cannot be read as JSON", key);
    case Kind::mistyped:
      return fmt::format("`{}` must be {}", key, with_article(detail));
    case Kind::missing_field:
      return fmt::format("`{}` is missing", detail);
    case Kind::unknown_version:
      return fmt::format("version `{}` is not `v1`", at.text());
    case Kind::unexpected_field:
      return detail.empty() ? fmt::format("there is no field `{}`", key)
                            : fmt::format("there is no field `{}`; it is `{}`", key, detail);
    case Kind::no_configs:
      return fmt::format("`{}` holds nothing", key);
    case Kind::invalid_devices:
      return "`devices` is neither `all` nor a list of indexes";
    case Kind::invalid_profile:
      return fmt::format("`{}` is no profile name", key);
    case Kind::negative_count:
      return fmt::format("`{}` is a negative count", at.text());
    case Kind::all_counts_zero:
      return "a layout without any device; `mig-enabled: false` turns MIG off";
    case Kind::devices_without_mig:
      return "`mig-devices` stand where `mig-enabled` is false";
    case Kind::unknown_profile:
      return fmt::format("no GPU has the profile `{}`", key);
    case Kind::zero_count:
      return fmt::format("`{}` is asked for zero times", key);
    case Kind::unusual_spelling:
      return fmt::format("`{}` is spelt `{}` by NVIDIA", key, detail);
    case Kind::impossible_layout:
      return fmt::format("no GPU can hold these MIG devices together: {}", detail);
    case Kind::invalid_filter:
      return fmt::format("device filter `{}` is no identifier `0xDDDDVVVV`: it matches no GPU",
                         at.text());
    case Kind::unknown_filter:
      return fmt::format("device filter `{}` is of no NVIDIA GPU", at.text());
    case Kind::no_devices:
      return "`devices` lists no GPU that a node has";
  }
  return {};
}

bool is_misspelt(const MigConfigFile& file, const MigConfigProblem& missing) {
  using Kind = MigConfigProblem::Kind;
  if (missing.kind != Kind::missing_field) return false;
  return std::ranges::any_of(file.problems, [&](const MigConfigProblem& other) {
    return other.kind == Kind::unexpected_field && other.detail == missing.detail &&
           other.node.parent() == missing.node;
  });
}

}  // namespace gpulint::rules::impossible_mig_layout

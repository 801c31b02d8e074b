#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/analysis/project.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/inputs/write_file.h"
#include "compiler/policy/compose.h"
#include "compiler/policy/given.h"
#include "compiler/policy/write_facts.h"
#include "compiler/policy/write_vap.h"

namespace gpulint {
namespace {

[[nodiscard]] policy::Choices choices_of(const Scope& scope, const Options& options) {
  policy::Choices choices{.selection = scope.config->selection,
                          .denies_by_facts = options.deny_facts};
  if (!options.select.empty()) choices.selection.select = options.select;
  std::ranges::copy(options.ignore, std::back_inserter(choices.selection.ignore));
  return choices;
}

/// The one scope with nodes, else the first; an Error where several clusters are meant.
[[nodiscard]] Result<const Scope*> find_cluster(const Project& project) {
  const Scope* found = nullptr;
  for (const Scope& scope : project.scopes) {
    if (scope.corpus.cluster.pools.empty()) continue;
    if (found != nullptr) {
      return Error{fmt::format(
          "the inputs hold several clusters{}; a policy is for one: name its files",
          found->name.empty() ? "" : fmt::format(" (`{}`, `{}`)", found->name, scope.name))};
    }
    found = &scope;
  }
  if (found == nullptr && !project.scopes.empty()) found = &project.scopes.front();
  if (found == nullptr) return Error{"no nodes, node pools or gpulint.yaml among the inputs"};
  return found;
}

/// What somebody would have to add for more rules.
void print_left_out(const std::vector<policy::LeftOut>& left_out) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const policy::LeftOut& rule : left_out) by_need[rule.lacks].push_back(rule.id);
  for (const auto& [lacks, rules] : by_need) {
    print_error(fmt::format("left out, for {}: {}", lacks, fmt::join(rules, ", ")));
  }
}

[[nodiscard]] policy::FactsFrom settle(const Options& options, const policy::Facts& facts) {
  if (options.facts_from != policy::FactsFrom::automatic) return options.facts_from;
  if (policy::are_short(facts)) return policy::FactsFrom::literals;
  print_error(fmt::format(
      "{} kinds of nodes are more than an expression may hold: the policies take them from a "
      "custom resource (`--facts crd`)",
      facts.pools.size()));
  return policy::FactsFrom::object;
}

/// The definition first, so that `kubectl apply` knows the kind of what follows.
[[nodiscard]] std::string write_all(const std::vector<policy::AdmissionPolicy>& policies,
                                    const policy::Facts& facts) {
  std::string text;
  if (std::ranges::any_of(policies, &policy::AdmissionPolicy::takes_parameters)) {
    text = policy::write_facts_definition() + "---\n" + policy::write_facts(facts) + "---\n";
  }
  return text + policy::write_vap(policies);
}

[[nodiscard]] int write_policies(const std::string& text, const Options& options) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"vap", options.output});
  for (const FormatRequest& request : requests) {
    if (request.name != "vap") {
      static constexpr std::array<std::string_view, 1> names{"vap"};
      return refuse(unknown_format(request.name, names));
    }
    if (request.file.empty()) {
      std::cout << text << std::flush;
      if (!std::cout) return refuse({"standard output cannot be written"});
    } else if (const auto error = write_file(request.file, text)) {
      return refuse(Error{fmt::format("{}: {}", request.file, error->message)});
    }
  }
  return 0;
}

}  // namespace

int run_policy(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  const Result<const Scope*> scope = find_cluster(*project);
  if (!scope.ok()) return refuse(scope.error());
  const policy::Facts facts = policy::find_facts(scope.value()->corpus);
  const policy::Given given = policy::give(facts, settle(options, facts));
  std::vector<policy::LeftOut> left_out;
  const std::vector<policy::ToldRule> rules =
      policy::tell_rules(all_rules(), choices_of(*scope.value(), options), given, left_out);
  if (!options.quiet) print_left_out(left_out);
  if (rules.empty()) return refuse(Error{"no rule that is selected has a policy"});
  const int status = write_policies(write_all(policy::compose(rules, given), facts), options);
  return status != 0 || !project->errors.empty() ? 2 : 0;
}

}  // namespace gpulint

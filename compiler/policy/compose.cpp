#include "compiler/policy/compose.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/policy/cel_text.h"

namespace gpulint::policy {
namespace {

constexpr std::string_view variables_file =
#include "variables.inc"
    ;
constexpr std::string_view matches_file =
#include "matches.inc"
    ;

[[nodiscard]] bool is_name_character(char c) { return c == '_' || is_alphanumeric(c); }

using On = RulePolicy::On;

[[nodiscard]] Action action_of(const RuleInfo& rule, const RulePolicy& policy,
                               const Choices& choices) {
  const bool is_error =
      choices.selection.severity(rule, rule.severity) == Severity::error && policy.may_deny;
  // Kubelets register nodes: never reject these.
  const bool may_deny = policy.on != On::nodes && (policy.needs.empty() || choices.denies_by_facts);
  return is_error && may_deny ? Action::deny : Action::warn;
}

[[nodiscard]] std::string first_unknown(const std::vector<std::string>& needs, const Given& given) {
  for (const std::string& need : needs) {
    if (!given.known.contains(need)) return need;
  }
  return {};
}

/// `no-node-fits` as the name of a variable.
[[nodiscard]] std::string variable_of(const std::string& id) {
  std::string name = id;
  std::ranges::replace(name, '-', '_');
  return name;
}

/// The variables that the expressions use, directly or through others, in order.
[[nodiscard]] std::vector<Variable> variables_below(const std::vector<Variable>& expressions,
                                                    const Given& given) {
  std::vector<Variable> all = given.variables;
  for (const CelBlock& block : shared_variables()) {
    all.push_back({std::string(block.key), block.text});
  }
  std::set<std::string, std::less<>> wanted;
  const auto want = [&](const Variable& variable) {
    for (std::string& name : used_variables(variable.expression)) wanted.insert(std::move(name));
  };
  std::ranges::for_each(expressions, want);
  std::vector<Variable> used;
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    if (!wanted.contains(at->name)) continue;
    want(*at);
    used.push_back(*at);
  }
  std::ranges::reverse(used);
  return used;
}

/// The messages of all findings that are not ignored, in one line; equal ones of a rule once.
[[nodiscard]] Variable join_findings(const std::vector<const AdmissionRule*>& rules) {
  std::string list;
  for (const AdmissionRule* rule : rules) {
    list += fmt::format("{}  [variables.{}] + {}", list.empty() ? "" : ",\n", variable_of(rule->id),
                        cel_list(rule->names));
  }
  return {"findings",
          fmt::format("[\n{}\n].filter(f, f[0] != '' && !f.exists(n, n in variables.ignored))\n"
                      "  .map(f, [f[0].split('; ')].map(t, "
                      "(t.size() > 9 ? t : [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(i, i < t.size() && "
                      "t.indexOf(t[i]) == i).map(i, t[i])).join('; '))[0] + ' [' + f[1] + ']')"
                      ".join('; ')",
                      list)};
}

/// For Pods any of the parts that the rules look at. Other objects are few and always checked.
[[nodiscard]] Variable concern_of(const std::vector<const AdmissionRule*>& rules) {
  std::vector<std::string> parts;
  for (const AdmissionRule* rule : rules) {
    if (rule->policy.on != On::pods) continue;
    for (const std::string& part : rule->policy.looks_at) {
      if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    }
  }
  std::string expression = "dyn(object).kind != 'Pod'";
  for (const std::string& part : parts) {
    expression.append("\n|| ").append(find_match("looks-at-" + part));
  }
  return {"concerns-gpus", std::move(expression)};
}

[[nodiscard]] Variable change_of(const std::set<On>& on) {
  constexpr std::pair<On, std::string_view> names[] = {{On::pods, "changed-pods"},
                                                       {On::nodes, "changed-nodes"},
                                                       {On::quotas, "changed-quotas"},
                                                       {On::claims, "changed-claims"}};
  std::string expression = "request.operation == 'CREATE' || oldObject == null";
  for (const auto& [target, name] : names) {
    if (on.contains(target)) expression.append("\n|| ").append(find_match(name));
  }
  return {"is-new", std::move(expression)};
}

[[nodiscard]] AdmissionPolicy compose_one(Action action,
                                          const std::vector<const AdmissionRule*>& rules,
                                          const Given& given) {
  AdmissionPolicy policy;
  policy.action = action;
  policy.name = action == Action::deny ? "gpulint-deny" : "gpulint-warn";
  std::vector<Variable> expressions;
  for (const AdmissionRule* rule : rules) {
    policy.rules.push_back(rule->id);
    policy.on.insert(rule->policy.on);
    expressions.push_back({variable_of(rule->id), rule->policy.finding});
  }
  expressions.push_back(join_findings(rules));
  policy.variables = variables_below(expressions, given);
  policy.takes_parameters =
      given.facts_are_parameters &&
      std::ranges::find(policy.variables, "facts", &Variable::name) != policy.variables.end();
  std::ranges::move(expressions, std::back_inserter(policy.variables));
  policy.conditions = {concern_of(rules), change_of(policy.on)};
  return policy;
}

}  // namespace

const std::vector<CelBlock>& shared_variables() {
  static const std::vector<CelBlock> blocks = read_cel_blocks(variables_file);
  return blocks;
}

std::string_view find_match(std::string_view name) {
  static const std::vector<CelBlock> blocks = read_cel_blocks(matches_file);
  const auto found = std::ranges::find(blocks, name, &CelBlock::key);
  return found == blocks.end() ? std::string_view{} : found->text;
}

std::vector<std::string> used_variables(std::string_view expression) {
  constexpr std::string_view prefix = "variables.";
  std::vector<std::string> names;
  for (std::size_t at = expression.find(prefix); at != std::string_view::npos;
       at = expression.find(prefix, at)) {
    at += prefix.size();
    const auto begin = expression.begin() + static_cast<std::ptrdiff_t>(at);
    std::string name(begin, std::find_if_not(begin, expression.end(), is_name_character));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<AdmissionRule> admission_rules(std::span<const RegisteredRule> rules,
                                           const Choices& choices, const Given& given,
                                           std::vector<LeftOut>& left_out) {
  std::vector<AdmissionRule> admitted;
  for (const RegisteredRule& rule : rules) {
    const RuleInfo& info = rule.rule->info;
    RulePolicy policy = read_rule_policy(rule.policy);
    if (!policy.is_written() || !choices.selection.enabled(info)) continue;
    if (std::string lacks = first_unknown(policy.needs, given); !lacks.empty()) {
      left_out.push_back({std::string(info.id), std::move(lacks)});
      continue;
    }
    const Action action = action_of(info, policy, choices);
    const std::vector<std::string_view> names = names_of(info);
    admitted.push_back(
        {std::string(info.id), {names.begin(), names.end()}, std::move(policy), action});
  }
  return admitted;
}

std::vector<AdmissionPolicy> compose(const std::vector<AdmissionRule>& rules, const Given& given) {
  std::vector<AdmissionPolicy> policies;
  for (const Action action : {Action::deny, Action::warn}) {
    std::vector<const AdmissionRule*> of_action;
    for (const AdmissionRule& rule : rules) {
      if (rule.action == action) of_action.push_back(&rule);
    }
    if (!of_action.empty()) policies.push_back(compose_one(action, of_action, given));
  }
  return policies;
}

AdmissionPolicy compose_mutations(const std::vector<AdmissionRule>& rules,
                                  const std::vector<std::string>& expressions, const Given& given,
                                  std::string name) {
  AdmissionPolicy policy;
  policy.name = std::move(name);
  policy.on = {On::pods};
  std::vector<Variable> mutations;
  for (const std::string& expression : expressions) mutations.push_back({"", expression});
  policy.variables = variables_below(mutations, given);
  std::vector<const AdmissionRule*> mending;
  for (const AdmissionRule& rule : rules) mending.push_back(&rule);
  policy.conditions = {concern_of(mending), change_of(policy.on)};
  return policy;
}

}  // namespace gpulint::policy

#include "compiler/policy/user_policy.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/ir/scalar.h"
#include "compiler/policy/cel_text.h"
#include "compiler/policy/inputs.h"

namespace gpulint::policy {
namespace {

/// Mappings whose keys contain dots: the rest of a path after them is one key.
constexpr std::array<std::string_view, 7> maps_of_names = {
    "labels", "annotations", "nodeSelector", "matchLabels", "limits", "requests", "hard"};

[[nodiscard]] std::vector<std::string> keys_of(std::string_view path) {
  std::vector<std::string> keys;
  while (!path.empty()) {
    const bool is_name =
        !keys.empty() && std::ranges::find(maps_of_names, keys.back()) != maps_of_names.end();
    std::string_view part = is_name ? std::exchange(path, {}) : take_part(path, '.');
    for (const std::string_view all : {"[]", "[*]"}) {
      if (part.ends_with(all)) part.remove_suffix(all.size());
    }
    if (!part.empty() && part != "*") keys.emplace_back(part);
  }
  return keys;
}

[[nodiscard]] std::string whole_match(const std::string& text, std::string_view pattern) {
  return fmt::format("{}.matches({})", text, cel_string(fmt::format("^(?:{})$", pattern)));
}

/// Tests the scalar `x` by `pattern` and `values` of a requirement, as the API server writes it.
[[nodiscard]] std::string scalar_test(Node requirement, const std::string& x) {
  const std::string text =
      fmt::format("({0} == true ? 'true' : {0} == false ? 'false' : string({0}))", x);
  std::vector<std::string> values;
  const Node list = requirement.get("values");
  for (const Node value : list.is_scalar() ? std::vector{list} : list.items()) {
    values.emplace_back(value.text());
  }
  std::string test;
  if (!values.empty()) test = fmt::format(" && {} in {}", text, cel_list(values));
  if (const Node pattern = requirement.get("pattern"); pattern.is_scalar()) {
    test += " && " + whole_match(text, pattern.text());
  }
  if (test.empty()) return "true";
  return fmt::format("type({0}) != map && type({0}) != list{1}", x, test);
}

/// Tests whether all places of a path, or any of them, pass the requirement. A path also goes
/// through the items of lists.
[[nodiscard]] std::string path_test(Node requirement, std::span<const std::string> keys,
                                    const std::string& x, std::string_view quantifier) {
  if (keys.empty()) return scalar_test(requirement, x);
  const std::string key = cel_string(keys.front());
  const std::string next = x + "_";
  const std::string items = fmt::format("(type({0}[{1}]) == list ? {0}[{1}] : [{0}[{1}]])", x, key);
  return fmt::format("type({0}) == map && {1} in {0} && {2}.size() > 0 && {2}.{3}({4}, {5})", x,
                     key, items, quantifier, next,
                     path_test(requirement, keys.subspan(1), next, quantifier));
}

[[nodiscard]] std::string condition(Node match) {
  std::string test = "true";
  if (const Node kind = match.get("kind"); kind.is_scalar()) {
    test += " && " + whole_match("variables.kind", kind.text());
  }
  if (const Node name = match.get("name"); name.is_scalar()) {
    test += " && " + whole_match("dyn(object).?metadata.?name.orValue('')", name.text());
  }
  if (const Node gpu = match.get("requestsGpu")) {
    const auto read = read_kubernetes_scalar(gpu);
    const bool is_wanted = (read ? read->text : std::string(gpu.text())) == "true";
    test += fmt::format(" && variables.gpuPods.size() {} 0", is_wanted ? ">" : "==");
  }
  for (const auto& [key, value] : match.get("labels").fields()) {
    const std::string label = cel_string(key.text());
    test += fmt::format(
        " && {} in dyn(object).?metadata.?labels.orValue({{}}) && {}", label,
        whole_match(fmt::format("dyn(object).metadata.labels[{}]", label), value.text()));
  }
  return test;
}

[[nodiscard]] std::string path_of(Node requirement) {
  return std::string(requirement.get("path").text());
}

/// Whether admission policies check one of the kinds of the user's policy.
[[nodiscard]] bool is_asked_about(Node kind) {
  if (!kind.is_scalar()) return true;
  const RE2 pattern(std::string(kind.text()), RE2::Quiet);
  return pattern.ok() && std::ranges::any_of(pod_kinds(), [&](const std::string& name) {
           return RE2::FullMatch(name, pattern);
         });
}

}  // namespace

std::optional<AdmissionRule> admission_rule_of(const Policy& policy) {
  const Node match = policy.node.get("match");
  if (!is_asked_about(match.get("kind"))) return std::nullopt;
  const Node require = policy.node.get("require");
  const Node forbid = policy.node.get("forbid");
  std::string flaws;
  std::string seen;
  if (require) {
    flaws = fmt::format("!({})", path_test(require, keys_of(path_of(require)), "x", "all"));
    seen = fmt::format("`{}` is missing or has a value that is not allowed", path_of(require));
  }
  if (forbid) {
    const std::string found = path_test(forbid, keys_of(path_of(forbid)), "x", "exists");
    flaws += fmt::format("{}({})", flaws.empty() ? "" : "\n    || ", found);
    if (seen.empty()) seen = fmt::format("`{}` or its value is not allowed", path_of(forbid));
  }
  if (flaws.empty()) return std::nullopt;
  AdmissionRule rule;
  rule.id = policy.id;
  rule.names = {policy.id, std::string(policy.info.category)};
  rule.policy.finding =
      fmt::format("{}\n  && [dyn(object)].exists(x, {})\n  ? {} : ''", condition(match), flaws,
                  cel_string(policy.message.empty() ? seen : policy.message));
  const bool wants_gpu = match.get("requestsGpu").text() == "true";
  rule.policy.looks_at = {wants_gpu ? "requests" : "everything"};
  rule.action = policy.info.severity == Severity::error ? Action::deny : Action::warn;
  return rule;
}

}  // namespace gpulint::policy

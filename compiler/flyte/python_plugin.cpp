#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/python_values.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// Arguments that say of some of a plugin's pods what they are.
constexpr std::array<std::string_view, 10> roles = {"worker",
                                                    "master",
                                                    "ps",
                                                    "chief",
                                                    "evaluator",
                                                    "launcher",
                                                    "head_node_config",
                                                    "worker_node_config",
                                                    "scheduler",
                                                    "workers"};
/// What gives such pods amounts of their own, instead of the task's.
constexpr std::array<std::string_view, 6> own_amounts = {"requests",     "limits",  "resources",
                                                         "pod_template", "k8s_pod", "accelerator"};

[[nodiscard]] bool is_of_plugins(std::string_view name) {
  return name.starts_with("flytekitplugins.") || name.starts_with("flyteplugins.");
}

/// Whether the pods of a role ask for what the task does.
[[nodiscard]] bool asks_as_task(const Expression& role, const PythonScope& scope) {
  const PythonMeaning meaning = scope.meaning(role);
  if (meaning.value == nullptr) return false;
  const Expression& value = *meaning.value;
  if (value.is(Expression::Kind::none)) return true;
  if (value.is(Expression::Kind::list) || value.is(Expression::Kind::tuple)) {
    return std::ranges::all_of(
        value.parts, [&](const Expression& part) { return asks_as_task(part, *meaning.scope); });
  }
  if (!value.is(Expression::Kind::call)) return false;
  if (!is_of_plugins(meaning.scope->meaning(value.parts.front()).name)) return false;
  return std::ranges::all_of(value.parts | std::views::drop(1), [](const Expression& part) {
    const std::string& keyword = part.keyword.text;
    return !keyword.empty() && keyword.front() != '*' && !is_listed(own_amounts, keyword);
  });
}

/// A whole number as it is written, or as `int("2")` reads it; empty of anything else.
[[nodiscard]] std::string whole_number(const PythonMeaning& meaning) {
  if (meaning.value == nullptr) return {};
  const Expression& value = *meaning.value;
  if (value.is(Expression::Kind::number)) return value.text;
  const bool is_int = value.is(Expression::Kind::call) && value.parts.size() == 2 &&
                      value.parts.front().is(Expression::Kind::name) &&
                      value.parts.front().text == "int" && value.parts[1].keyword.text.empty();
  if (!is_int || meaning.scope->meaning(value.parts.front()).local != nullptr) return {};
  return meaning.scope->text(value.parts[1]).value_or("");
}

/// One node is an ordinary pod, several are pods of that kind (flytekitplugins-kfpytorch: `nnodes`,
/// 1 by default, may be a range as text).
[[nodiscard]] std::optional<std::string_view> read_elastic(const Expression& call,
                                                           const PythonScope& scope) {
  std::string_view plugin = "container";
  for (const Expression& part : call.parts | std::views::drop(1)) {
    if (part.keyword.text.starts_with('*')) return std::nullopt;
    if (part.keyword.text != "nnodes" && !part.keyword.text.empty()) continue;
    const PythonMeaning nodes = scope.meaning(part);
    const std::string count = scope.text(part).value_or(whole_number(nodes));
    if (count.empty()) return std::nullopt;
    if (count != "1") plugin = "kubeflow";
    if (part.keyword.text.empty()) break;  // the first; others follow it
  }
  return plugin;
}

}  // namespace

std::optional<std::string_view> read_python_plugin(const PythonArgument& config) {
  static constexpr std::pair<std::string_view, std::string_view> modules[] = {
      {".ray", "ray"},         {".spark", "spark"},
      {".dask", "dask"},       {".kfpytorch", "kubeflow"},
      {".kfmpi", "kubeflow"},  {".kftensorflow", "kubeflow"},
      {".pytorch", "kubeflow"}};
  const PythonMeaning meaning = config.scope->meaning(*config.value);
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::call)) return std::nullopt;
  const Expression& call = *meaning.value;
  const std::string name = meaning.scope->meaning(call.parts.front()).name;
  if (!is_of_plugins(name)) return std::nullopt;
  if (name.ends_with(".Elastic")) return read_elastic(call, *meaning.scope);
  const auto is_open = [&](const Expression& part) {
    const std::string& keyword = part.keyword.text;
    if (keyword.empty() || keyword.front() == '*' || is_listed(own_amounts, keyword)) return true;
    return is_listed(roles, keyword) && !asks_as_task(part, *meaning.scope);
  };
  if (std::ranges::any_of(call.parts | std::views::drop(1), is_open)) return std::nullopt;
  for (const auto& [module, plugin] : modules) {
    // Spark's pods ask for what its own settings say.
    const bool is_settled = plugin != "spark" || call.parts.size() == 1;
    if (name.find(module) != std::string::npos && is_settled) return plugin;
  }
  return std::nullopt;
}

}  // namespace gpulint::flyte

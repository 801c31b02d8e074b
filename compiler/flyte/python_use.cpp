#include "compiler/flyte/python_use.h"

#include <algorithm>

#include "compiler/flyte/python_values.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// Limit of names that refer to names, and of nested calls.
constexpr int max_use_steps = 100;

[[nodiscard]] bool requests_gpus(const PythonTree& tree) {
  for (std::size_t i = 0; i < tree.parts.size(); ++i) {
    const PythonTree& part = tree.parts[i];
    const bool is_value = tree.kind == NodeKind::mapping && i % 2 == 1;
    if (is_value && is_gpu_resource(tree.parts[i - 1].text) && (part.opaque || part.text != "0")) {
      return true;
    }
    if (requests_gpus(part)) return true;
  }
  return false;
}

/// Whether the amount is, or may be, more than zero.
[[nodiscard]] bool may_request(const PythonArgument& amount) {
  const PythonMeaning meaning = amount.scope->meaning(*amount.value);
  if (meaning.value == nullptr) return true;
  const auto text = amount.scope->text(*amount.value);
  if (text) return *text != "0" && !text->empty();
  return !meaning.value->is(Expression::Kind::number) || meaning.value->text != "0";
}

[[nodiscard]] bool has_gpus(const PythonMeaning& resources) {
  const auto arguments = python_arguments(*resources.value, *resources.scope, {"", "", "gpu", ""});
  if (!arguments) {
    return std::ranges::any_of(resources.value->parts,
                               [](const Expression& part) { return part.keyword.text == "gpu"; });
  }
  const PythonArgument* gpu = find_argument(*arguments, "gpu");
  return gpu != nullptr && may_request(*gpu);
}

/// Whether the value is one of flytekit's accelerators, and not a text for another library.
[[nodiscard]] bool is_sdk_accelerator(const Expression& written, const PythonScope& scope) {
  const PythonMeaning meaning = scope.meaning(written);
  if (!meaning.name.empty()) return sdk_of(meaning.name) == PythonSdk::flytekit;
  return is_call_of(meaning, "GPUAccelerator");
}

[[nodiscard]] bool configures_gpus(const Expression& call, const PythonScope& scope) {
  PythonMeaning itself;
  itself.value = &call;
  itself.scope = &scope;
  if (is_call_of(itself, "Resources")) return has_gpus(itself);
  if (is_call_of(itself, "PodTemplate")) {
    const auto pod = read_python_pod({{}, {}, &call, &scope});
    return pod && requests_gpus(pod->pod_spec);
  }
  return false;
}

/// `int(N)`, `N * 2`, `f"{N}"`: an amount that is formed of its parts.
[[nodiscard]] bool has_value_of_parts(const Expression& expression) {
  using Kind = Expression::Kind;
  if (!expression.is(Kind::call)) {
    return expression.is(Kind::joined) || expression.is(Kind::product) ||
           expression.is(Kind::choice);
  }
  const std::string& callee = expression.parts.front().text;
  return expression.parts.front().is(Kind::name) && (callee == "int" || callee == "str");
}

}  // namespace

void PythonUse::add(const Expression& expression, const PythonScope& scope) {
  add(expression, scope, max_use_steps);
}

void PythonUse::add(const Expression& expression, const PythonScope& scope, int steps) {
  if (steps <= 0 || !spans_.insert(expression.span).second) return;
  const PythonMeaning meaning = scope.meaning(expression);
  std::vector<PythonMeaning> all = scope.choices(expression);
  if (all.empty() && meaning.value != nullptr) all.push_back(meaning);
  for (const PythonMeaning& each : all) {
    if (std::string variable = each.scope->variable_of_default(*each.value); !variable.empty()) {
      variables_.emplace(expression.span, std::move(variable));
    }
    if (each.value == &expression) continue;
    add(*each.value, *each.scope, steps - 1);
    pass_on(*each.value, expression);
  }
  for (const Expression& part : expression.parts) {
    add(part, scope, steps - 1);
    if (has_value_of_parts(expression)) pass_on(part, expression);
  }
}

void PythonUse::pass_on(const Expression& from, const Expression& to) {
  const auto found = variables_.find(from.span);
  if (found != variables_.end()) variables_.emplace(to.span, found->second);
}

void add_gpu_calls(const Expression& within, const PythonScope& scope, std::vector<Span>& calls) {
  if (within.is(Expression::Kind::call) && configures_gpus(within, scope)) {
    calls.push_back(within.span);
  }
  for (const Expression& part : within.parts) {
    const bool is_accelerator =
        part.keyword.text == "accelerator" && is_sdk_accelerator(part, scope);
    if (is_accelerator) calls.push_back(part.span);
    add_gpu_calls(part, scope, calls);
  }
}

}  // namespace gpulint::flyte

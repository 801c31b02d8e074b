#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/flyte/python_names.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// Limit of names that refer to names, and of parts within parts.
constexpr int max_fold_steps = 16;
constexpr std::size_t max_choices = 16;
/// Limits of what constants form: parts of a module, and the size of a text.
constexpr int max_folds = 1'000'000;
constexpr std::size_t max_text = 4096;
/// Larger numbers are no amounts of GPUs.
constexpr std::int64_t max_number = 1'000'000'000;

[[nodiscard]] std::optional<std::int64_t> small_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_whole =
      error == std::errc() && stop == end && number <= max_number && number >= -max_number;
  return is_whole ? std::optional(number) : std::nullopt;
}

/// Whether one of Python's own functions is called with one argument: `str(2)`.
[[nodiscard]] bool is_builtin_call(const PythonMeaning& meaning, std::string_view name) {
  const Expression& call = *meaning.value;
  if (!call.is(Expression::Kind::call) || call.parts.size() != 2 ||
      !call.parts[1].keyword.text.empty()) {
    return false;
  }
  const Expression& callee = call.parts.front();
  const PythonMeaning own = meaning.scope->meaning(callee);
  return callee.is(Expression::Kind::name) && callee.text == name && own.local == nullptr &&
         own.name.empty() && own.value == nullptr;
}

}  // namespace

std::optional<std::string> PythonScope::text(const Expression& expression) const {
  return text(expression, max_fold_steps);
}

std::optional<std::string> PythonScope::text(const Expression& expression, int steps) const {
  const PythonMeaning meant = meaning(expression);
  if (meant.value == nullptr || steps <= 0 || root().folds_++ > max_folds) return std::nullopt;
  if (meant.value->is(Expression::Kind::string)) return meant.value->text;
  if (meant.value->is(Expression::Kind::call)) return text_of_call(meant, steps);
  if (!meant.value->is(Expression::Kind::joined)) return std::nullopt;
  std::string all;
  bool has_text = false;  // a sum of numbers is not a text
  for (const Expression& part : meant.value->parts) {
    if (const auto number = meant.scope->number(part, steps - 1)) {
      all += std::to_string(*number);
      continue;
    }
    const auto text = meant.scope->text(part, steps - 1);
    if (!text || all.size() > max_text) return std::nullopt;
    has_text = true;
    all += *text;
  }
  return has_text ? std::optional(std::move(all)) : std::nullopt;
}

/// `str(NODES)`, `DEVICE.lower()`.
std::optional<std::string> PythonScope::text_of_call(const PythonMeaning& call, int steps) const {
  const std::vector<Expression>& parts = call.value->parts;
  if (is_builtin_call(call, "str")) {
    if (const auto number = call.scope->number(parts[1], steps - 1)) return std::to_string(*number);
    return call.scope->text(parts[1], steps - 1);
  }
  if (parts.size() != 1 || !parts.front().is(Expression::Kind::attribute)) return std::nullopt;
  const std::string& method = parts.front().text;
  if (method != "lower" && method != "upper" && method != "strip") return std::nullopt;
  const auto text = call.scope->text(parts.front().parts.front(), steps - 1);
  if (!text) return std::nullopt;
  if (method == "strip") return std::string(trim(*text));
  return method == "lower" ? to_lower(*text) : to_upper(*text);
}

std::optional<std::int64_t> PythonScope::number(const Expression& expression) const {
  return number(expression, max_fold_steps);
}

/// A literal, a sum, a product, or `int("2")`.
std::optional<std::int64_t> PythonScope::number(const Expression& expression, int steps) const {
  const PythonMeaning meant = meaning(expression);
  if (meant.value == nullptr || steps <= 0 || root().folds_++ > max_folds) return std::nullopt;
  if (meant.value->is(Expression::Kind::number)) return small_number(meant.value->text);
  const std::vector<Expression>& parts = meant.value->parts;
  if (meant.value->is(Expression::Kind::call) && is_builtin_call(meant, "int")) {
    const auto text = meant.scope->text(parts[1], steps - 1);
    return text ? small_number(*text) : meant.scope->number(parts[1], steps - 1);
  }
  const bool is_product = meant.value->is(Expression::Kind::product);
  if (!is_product && !meant.value->is(Expression::Kind::joined)) return std::nullopt;
  std::int64_t all = is_product ? 1 : 0;
  for (const Expression& part : parts) {
    const auto number = meant.scope->number(part, steps - 1);
    if (!number) return std::nullopt;
    all = is_product ? all * *number : all + *number;
    if (all > max_number || all < -max_number) return std::nullopt;
  }
  return all;
}

std::vector<PythonMeaning> PythonScope::choices(const Expression& expression) const {
  std::vector<PythonMeaning> found;
  if (!add_choices(expression, max_fold_steps, found)) found.clear();
  return found;
}

/// False: some are unknown.
bool PythonScope::add_choices(const Expression& expression, int steps,
                              std::vector<PythonMeaning>& into) const {
  if (steps <= 0 || into.size() >= max_choices) return false;
  if (expression.is(Expression::Kind::choice)) {
    for (std::size_t i = 0; i < expression.parts.size(); i += 2) {
      if (!add_choices(expression.parts[i], steps - 1, into)) return false;
    }
    return true;
  }
  PythonMeaning meant = meaning(expression);
  if (meant.value == nullptr && expression.is(Expression::Kind::name)) {
    return add_given(expression.text, expression.span, steps - 1, into);
  }
  if (meant.value == nullptr) return false;
  if (meant.value->is(Expression::Kind::choice)) {
    return meant.scope->add_choices(*meant.value, steps - 1, into);
  }
  into.push_back(std::move(meant));
  return true;
}

/// The values of a name that is set in branches. An earlier value outside of them counts if there
/// is one branch; with several, every way may set it again.
bool PythonScope::add_given(std::string_view name, Span at, int steps,
                            std::vector<PythonMeaning>& into) const {
  const PythonScope* scope = this;
  while (scope != nullptr && !scope->names_.contains(name)) scope = scope->outer_;
  if (scope == nullptr || scope->has_open_values_ || !scope->stars_.empty()) return false;
  const Name& known = scope->names_.find(name)->second;
  if (known.is_changed) return false;
  std::vector<const Given*> given;
  for (const Given& each : known.given) {
    if (scope == this && each.end > at.begin) break;
    if (!each.is_conditional) given.clear();
    given.push_back(&each);
  }
  if (given.size() > 2 && !given.front()->is_conditional) return false;
  return !given.empty() && std::ranges::all_of(given, [&](const Given* each) {
    return each->meaning.value != nullptr &&
           each->meaning.scope->add_choices(*each->meaning.value, steps, into);
  });
}

}  // namespace gpulint::flyte

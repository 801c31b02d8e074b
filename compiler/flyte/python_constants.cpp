#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/flyte/python_names.h"

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;

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

/// Whether it only makes `__init__` of a class's fields.
bool PythonScope::is_dataclass(const Expression& decorator, int steps) const {
  const bool is_call = decorator.is(Expression::Kind::call);
  return meaning(is_call ? decorator.parts[0] : decorator, steps).name == "dataclasses.dataclass";
}

/// A field of an object that was made with keywords, `Config(gpus="4").gpus`, or its default. The
/// class is a dataclass without a base class.
PythonMeaning PythonScope::field(const PythonMeaning& of, const std::string& name,
                                 int steps) const {
  const PythonMeaning type = of.scope->meaning(of.value->parts.front(), steps - 1);
  const bool is_type = type.local != nullptr && type.local->kind == Statement::Kind::type;
  if (!is_type || type.local->decorators.empty() || !type.local->bases.empty()) return {};
  const auto may_change = [](const Statement& each) {
    return each.kind == Statement::Kind::function && each.name.text.starts_with("__");
  };
  const auto is_known_decorator = [&](const Expression& each) {
    return type.scope->is_dataclass(each, steps - 1);
  };
  const auto arguments = python_arguments(*of.value, *of.scope, {});
  if (!arguments || std::ranges::any_of(type.local->body, may_change) ||
      !std::ranges::all_of(type.local->decorators, is_known_decorator)) {
    return {};
  }
  for (const PythonArgument& each : *arguments) {
    if (each.keyword == name) return each.scope->meaning(*each.value, steps - 1);
  }
  return type.scope->class_member(*type.local, name, steps - 1);
}

/// `Size.BIG.value` of an enumeration.
PythonMeaning PythonScope::enumerated(const Expression& member, int steps) const {
  if (!member.is(Expression::Kind::attribute)) return {};
  const PythonMeaning type = meaning(member.parts[0], steps - 1);
  const bool is_type = type.local != nullptr && type.local->kind == Statement::Kind::type;
  const auto is_enum = [&](const Expression& base) {
    const std::string name = type.scope->meaning(base, steps - 1).name;
    return name == "enum.Enum" || name == "enum.StrEnum" || name == "enum.IntEnum";
  };
  if (steps <= 0 || !is_type || !type.local->decorators.empty()) return {};
  if (std::ranges::none_of(type.local->bases, is_enum)) return {};
  return type.scope->constant(*type.local, member.text, steps);
}

/// A constant of a class. It is unknown if a decorator or a base class may change it (an
/// enumeration, a model), or if its body computes names.
PythonMeaning PythonScope::class_member(const Statement& of, const std::string& name,
                                        int steps) const {
  const auto is_plain = [&](const Expression& base) {
    const PythonMeaning known = meaning(base, steps - 1);
    return known.local != nullptr && known.local->bases.empty() && known.local->decorators.empty();
  };
  const auto is_harmless = [&](const Expression& each) { return is_dataclass(each, steps - 1); };
  if (steps <= 0 || !std::ranges::all_of(of.bases, is_plain) ||
      !std::ranges::all_of(of.decorators, is_harmless)) {
    return {};
  }
  return constant(of, name, steps);
}

/// What the body of a class of this scope assigns to the name.
PythonMeaning PythonScope::constant(const Statement& of, const std::string& name, int steps) const {
  const PythonScope& inside = this->inside(of);
  const auto found = inside.names_.find(name);
  if (found == inside.names_.end()) return {};
  const Given* given = choose(found->second, std::nullopt);
  if (given == nullptr || given->meaning.value == nullptr || given->is_conditional) return {};
  return inside.meaning(*given->meaning.value, steps - 1);
}

}  // namespace gpulint::flyte

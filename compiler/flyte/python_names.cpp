#include "compiler/flyte/python_names.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;

/// Names that stand for names, before they are taken to go in circles.
constexpr int max_name_steps = 16;

[[nodiscard]] bool is_number_text(const Expression& expression) {
  return expression.is(Expression::Kind::number) &&
         expression.text.find_first_not_of("0123456789") == std::string::npos;
}

/// `**common` where `common` is a dict whose keys are strings.
[[nodiscard]] bool add_unpacked(const Expression& value, const PythonScope& scope,
                                std::vector<PythonArgument>& arguments) {
  const PythonMeaning meaning = scope.meaning(value);
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::dict)) return false;
  const std::vector<Expression>& parts = meaning.value->parts;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (!parts[i].is(Expression::Kind::string)) return false;
    arguments.push_back(
        {parts[i].text, {parts[i].text, parts[i].span}, &parts[i + 1], meaning.scope});
  }
  return parts.size() % 2 == 0;
}

}  // namespace

PythonScope::PythonScope(const std::vector<Statement>& statements,
                         const std::vector<std::string>& parameters, const PythonScope* outer)
    : outer_(outer) {
  for (const std::string& name : parameters) give(name, {}, false);
  for (const Statement& statement : statements) add(statement);
}

void PythonScope::add(const Statement& statement) {
  using Kind = Statement::Kind;
  const std::string& name = statement.name.text;
  PythonMeaning meaning;
  meaning.scope = this;
  switch (statement.kind) {
    case Kind::import:
      meaning.name = statement.module;
      return give(name, std::move(meaning), true);
    case Kind::from:
      if (statement.dots == 0) meaning.name = statement.module + "." + statement.member;
      return give(name, std::move(meaning), statement.dots == 0);
    case Kind::assignment:
      meaning.value = &statement.value;
      return give(name, std::move(meaning), !statement.conditional);
    case Kind::function:
    case Kind::type:
      meaning.local = &statement;
      return give(name, std::move(meaning), !statement.conditional);
    case Kind::expression:
      return;
  }
}

void PythonScope::give(const std::string& name, PythonMeaning meaning, bool is_clear) {
  const auto [known, is_new] = names_.try_emplace(name, Name{meaning, is_clear});
  if (is_new) return;
  const bool is_same = !meaning.name.empty() && known->second.meaning.name == meaning.name;
  known->second.is_clear = known->second.is_clear && is_same;
}

PythonMeaning PythonScope::meaning(const Expression& expression) const {
  return meaning(expression, max_name_steps);
}

PythonMeaning PythonScope::look_up(std::string_view name, int steps) const {
  for (const PythonScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->names_.find(name);
    if (found == scope->names_.end()) continue;
    if (!found->second.is_clear) return {};
    const PythonMeaning& meaning = found->second.meaning;
    return meaning.value == nullptr ? meaning : scope->meaning(*meaning.value, steps - 1);
  }
  return {};
}

PythonMeaning PythonScope::member(const PythonMeaning& of, const std::string& name,
                                  int steps) const {
  if (!of.name.empty()) return {of.name + "." + name, nullptr, nullptr, of.scope};
  if (of.local == nullptr || of.local->kind != Statement::Kind::type || of.scope == nullptr) {
    return {};
  }
  const Statement* found = nullptr;
  for (const Statement& each : of.local->body) {
    if (each.name.text != name) continue;
    if (found != nullptr || each.kind != Statement::Kind::assignment || each.conditional) return {};
    found = &each;
  }
  return found == nullptr ? PythonMeaning() : of.scope->meaning(found->value, steps - 1);
}

PythonMeaning PythonScope::meaning(const Expression& expression, int steps) const {
  using Kind = Expression::Kind;
  if (steps <= 0) return {};
  if (expression.is(Kind::name)) return look_up(expression.text, steps);
  if (expression.is(Kind::attribute)) {
    PythonMeaning known = member(meaning(expression.parts[0], steps), expression.text, steps);
    const bool is_known = !known.name.empty() || known.value != nullptr || known.local != nullptr;
    if (is_known) return known;
    return {{}, &expression, nullptr, this};
  }
  return {{}, &expression, nullptr, this};
}

std::optional<std::string> PythonScope::text(const Expression& expression) const {
  return text(expression, max_name_steps);
}

std::optional<std::string> PythonScope::text(const Expression& expression, int steps) const {
  const PythonMeaning meant = meaning(expression);
  if (meant.value == nullptr || steps <= 0) return std::nullopt;
  if (meant.value->is(Expression::Kind::string)) return meant.value->text;
  if (!meant.value->is(Expression::Kind::joined)) return std::nullopt;
  std::string all;
  for (const Expression& part : meant.value->parts) {
    const PythonMeaning of_part = meant.scope->meaning(part);
    if (of_part.value != nullptr && is_number_text(*of_part.value)) {
      all += of_part.value->text;
      continue;
    }
    const auto text = meant.scope->text(part, steps - 1);
    if (!text) return std::nullopt;
    all += *text;
  }
  // A sum of numbers is no text.
  const bool has_text = std::ranges::any_of(meant.value->parts, [](const Expression& part) {
    return part.is(Expression::Kind::string) || part.is(Expression::Kind::joined);
  });
  return has_text ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<std::vector<PythonArgument>> python_arguments(
    const Expression& call, const PythonScope& scope,
    std::initializer_list<std::string_view> parameters) {
  std::vector<PythonArgument> arguments;
  auto parameter = parameters.begin();
  for (const Expression& part : call.parts | std::views::drop(1)) {
    const std::string& keyword = part.keyword.text;
    if (keyword == "**") {
      if (!add_unpacked(part, scope, arguments)) return std::nullopt;
    } else if (!keyword.empty() && keyword != "*") {
      arguments.push_back({keyword, part.keyword, &part, &scope});
    } else if (keyword.empty() && parameter != parameters.end()) {
      arguments.push_back({std::string(*parameter++), {}, &part, &scope});
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

const PythonArgument* find_argument(const std::vector<PythonArgument>& arguments,
                                    std::string_view keyword) {
  for (const PythonArgument& argument : arguments | std::views::reverse) {
    if (argument.keyword != keyword) continue;
    const PythonMeaning meaning = argument.scope->meaning(*argument.value);
    const bool is_none = meaning.value != nullptr && meaning.value->is(Expression::Kind::none);
    return is_none ? nullptr : &argument;
  }
  return nullptr;
}

}  // namespace gpulint::flyte

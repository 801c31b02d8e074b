#include "compiler/flyte/python_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/python_values.h"

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

[[nodiscard]] bool is_known(const PythonMeaning& meaning) {
  return !meaning.name.empty() || meaning.value != nullptr || meaning.local != nullptr ||
         meaning.module != nullptr;
}

/// Whether Python's own `dict` is called, and with names alone.
[[nodiscard]] bool is_dict_call(const PythonMeaning& meaning) {
  if (!meaning.value->is(Expression::Kind::call)) return false;
  const Expression& callee = meaning.value->parts.front();
  const PythonMeaning called = meaning.scope->meaning(callee);
  const bool is_own =
      callee.is(Expression::Kind::name) && callee.text == "dict" && !is_known(called);
  return is_own && std::ranges::all_of(
                       meaning.value->parts | std::views::drop(1), [](const Expression& part) {
                         return !part.keyword.text.empty() && !part.keyword.text.starts_with('*');
                       });
}

/// `**common` where `common` is a dict whose keys are strings, or `dict(key=…)`.
[[nodiscard]] bool add_unpacked(const Expression& value, const PythonScope& scope,
                                PythonArguments& arguments) {
  const PythonMeaning meaning = scope.meaning(value);
  if (meaning.value == nullptr) return false;
  if (is_dict_call(meaning)) {
    auto own = python_arguments(*meaning.value, *meaning.scope, {});
    if (!own) return false;
    std::ranges::move(*own, std::back_inserter(arguments));
    return true;
  }
  if (!meaning.value->is(Expression::Kind::dict)) return false;
  const std::vector<Expression>& parts = meaning.value->parts;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (!parts[i].is(Expression::Kind::string)) return false;
    arguments.push_back(
        {parts[i].text, {parts[i].text, parts[i].span}, &parts[i + 1], meaning.scope});
  }
  return parts.size() % 2 == 0;
}

/// What a call changes in place: `names.update(…)`, `setattr(name, …)`; null where it is nothing.
[[nodiscard]] const Expression* changed_by(const Expression& call) {
  static constexpr std::array<std::string_view, 13> methods = {
      "append",     "clear", "extend",  "insert",      "pop",         "popitem", "remove",
      "setdefault", "sort",  "reverse", "__setattr__", "__setitem__", "update"};
  const Expression& callee = call.parts.front();
  if (callee.is(Expression::Kind::attribute) && is_listed(methods, callee.text)) {
    return callee.parts.data();
  }
  const bool is_of_first =
      callee.is(Expression::Kind::name) && (callee.text == "setattr" || callee.text == "delattr");
  return is_of_first && call.parts.size() > 1 ? &call.parts[1] : nullptr;
}

/// Functions whose result, where one writes to it, gives the module's names other values.
[[nodiscard]] bool is_namespace(std::string_view name) {
  static constexpr std::array<std::string_view, 3> namespaces = {"globals", "locals", "vars"};
  return is_listed(namespaces, name);
}

/// Whether a function of Python, its library, the SDKs or the API leaves its arguments as they are.
/// `name`: as it is imported; of what is not, as it is written.
[[nodiscard]] bool keeps_arguments(std::string_view name) {
  static constexpr std::array<std::string_view, 22> builtins = {
      "all",  "any",  "bool", "dict", "enumerate", "filter", "float", "frozenset",
      "int",  "iter", "len",  "list", "map",       "max",    "min",   "print",
      "repr", "set",  "str",  "sum",  "tuple",     "zip"};
  static constexpr std::array<std::string_view, 8> modules = {
      "flyteplugins", "flytekitplugins", "kubernetes", "functools", "dataclasses", "copy",
      "json",         "itertools"};
  return sdk_of(name) != PythonSdk::none || is_listed(builtins, name) ||
         is_listed(modules, name.substr(0, name.find('.')));
}

/// Methods that do not change their arguments: of lists, and the SDKs' own.
constexpr std::array<std::string_view, 9> keeping_methods = {
    "task",   "clone_with", "override", "with_overrides", "add_entity", "append",
    "extend", "update",     "get"};

[[nodiscard]] bool is_name_of(const std::vector<std::string>& names, const Expression& part) {
  return part.is(Expression::Kind::name) && std::ranges::find(names, part.text) != names.end();
}

/// Whether a function of the source may change what it is called with.
[[nodiscard]] bool changes_any(const Expression& within, const std::vector<std::string>& names) {
  if (within.is(Expression::Kind::call)) {
    const Expression* changed = changed_by(within);
    if (changed != nullptr && is_name_of(names, *changed)) return true;
    const Expression& callee = within.parts.front();
    const bool is_known = callee.is(Expression::Kind::name) && keeps_arguments(callee.text);
    const auto is_parameter = [&](const Expression& part) { return is_name_of(names, part); };
    if (!is_known && std::ranges::any_of(within.parts | std::views::drop(1), is_parameter)) {
      return true;
    }
  }
  return std::ranges::any_of(within.parts,
                             [&](const Expression& part) { return changes_any(part, names); });
}

[[nodiscard]] bool changes_any(const std::vector<Statement>& body,
                               const std::vector<std::string>& names) {
  return std::ranges::any_of(body, [&](const Statement& each) {
    const bool is_given = each.kind == Statement::Kind::assignment &&
                          std::ranges::find(names, each.name.text) != names.end();
    return is_given || changes_any(each.value, names) || changes_any(each.body, names);
  });
}

/// Whether a name in the expression is given by one of the statements.
[[nodiscard]] bool names_any(const Expression& within, const std::vector<Statement>& given) {
  const auto is_given = [&](const Statement& each) {
    return each.kind != Statement::Kind::expression && each.name.text == within.text;
  };
  if (within.is(Expression::Kind::name) && std::ranges::any_of(given, is_given)) return true;
  return std::ranges::any_of(within.parts,
                             [&](const Expression& part) { return names_any(part, given); });
}

}  // namespace

PythonScope::PythonScope(const python::Module& module, PythonModules* modules)
    : modules_(modules), file_(module.file) {
  for (const Statement& statement : module.statements) add(statement);
  note_changed(module.statements);
}

PythonScope::PythonScope(const Statement& function, const PythonScope& outer)
    : outer_(&outer), modules_(outer.modules_), file_(outer.file_) {
  for (const std::string& name : function.parameters) give(name, {{}, false});
  for (const Statement& statement : function.body) add(statement);
  note_changed(function.body);
}

/// What a method changes in place, in a function that may be called, too, is nothing certain.
void PythonScope::note_changed(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    const bool is_assignment = statement.kind == Statement::Kind::assignment;
    if (is_assignment && is_namespace(statement.name.text)) has_open_values_ = true;
    note_changed(statement.value);
    note_changed(statement.body);
  }
}

void PythonScope::note_changed(const Expression& within) {
  for (const Expression& part : within.parts) note_changed(part);
  if (!within.is(Expression::Kind::call)) return;
  note_handed_over(within);
  const Expression* changed = changed_by(within);
  const bool is_of_call = changed != nullptr && changed->is(Expression::Kind::call) &&
                          changed->parts.front().is(Expression::Kind::name);
  if (is_of_call && is_namespace(changed->parts.front().text)) has_open_values_ = true;
  while (changed != nullptr && changed->is(Expression::Kind::attribute)) {
    changed = changed->parts.data();
  }
  if (changed == nullptr || !changed->is(Expression::Kind::name)) return;
  const auto known = names_.find(changed->text);
  const bool is_value = known != names_.end() && known->second.import == nullptr;
  if (is_value) known->second.is_clear = false;
}

/// A function that is not known may change the objects that it is called with.
void PythonScope::note_handed_over(const Expression& call) {
  const Expression& callee = call.parts.front();
  const Statement* function = nullptr;
  if (callee.is(Expression::Kind::name)) {
    const auto known = names_.find(callee.text);
    if (known != names_.end() && known->second.is_clear) function = known->second.meaning.local;
  }
  const bool is_method =
      callee.is(Expression::Kind::attribute) && is_listed(keeping_methods, callee.text);
  const bool keeps = function != nullptr ? !changes_any(function->body, function->parameters)
                                         : is_method || keeps_arguments(written_name(callee));
  if (keeps) return;
  for (const Expression& part : call.parts | std::views::drop(1)) {
    const bool is_object = part.is(Expression::Kind::name) && part.keyword.text != "**";
    const auto known = is_object ? names_.find(part.text) : names_.end();
    if (known == names_.end() || known->second.meaning.value == nullptr) continue;
    const Expression& value = *known->second.meaning.value;
    const bool is_mutable = value.is(Expression::Kind::dict) || value.is(Expression::Kind::list) ||
                            (value.is(Expression::Kind::call) &&
                             written_name(value.parts.front()).ends_with("Resources"));
    if (is_mutable) known->second.is_clear = false;
  }
}

/// `flytekit.Resources` of `fk.Resources`, by the imports of this scope alone.
std::string PythonScope::written_name(const Expression& expression) const {
  if (expression.is(Expression::Kind::attribute)) {
    return written_name(expression.parts.front()) + "." + expression.text;
  }
  if (!expression.is(Expression::Kind::name)) return "?";
  for (const PythonScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto known = scope->names_.find(expression.text);
    if (known == scope->names_.end()) continue;
    return known->second.import != nullptr ? known->second.meaning.name : "?";
  }
  return expression.text;
}

void PythonScope::add(const Statement& statement) {
  using Kind = Statement::Kind;
  const std::string& name = statement.name.text;
  PythonMeaning meaning;
  meaning.scope = this;
  switch (statement.kind) {
    case Kind::import:
      meaning.name = statement.module;
      return give(name, {std::move(meaning), true, &statement});
    case Kind::from:
      if (statement.member == "*") return stars_.push_back(&statement);
      meaning.name = std::string(statement.dots, '.') + statement.module + "." + statement.member;
      return give(name, {std::move(meaning), true, &statement});
    case Kind::assignment:
      meaning.value = &statement.value;
      return give(name, {std::move(meaning), true, nullptr, statement.conditional});
    case Kind::function:
    case Kind::type:
      meaning.local = &statement;
      return give(name, {std::move(meaning), true, nullptr, statement.conditional});
    case Kind::expression:
      return;
  }
}

void PythonScope::give(const std::string& name, Name given) {
  const auto [known, is_new] = names_.try_emplace(name, given);
  if (is_new) return;
  const std::string& imported = given.meaning.name;
  const bool is_same = !imported.empty() && known->second.meaning.name == imported;
  known->second.is_clear = known->second.is_clear && is_same;
}

/// What an import means: an SDK's names stand for themselves, those of the user's own modules for
/// what these give them.
PythonMeaning PythonScope::imported(const Name& name, int steps) const {
  const Statement& import = *name.import;
  const bool is_own = sdk_of(name.meaning.name) == PythonSdk::none;
  if (modules_ == nullptr || steps <= 0 || !is_own) return name.meaning;
  const PythonScope* module = modules_->find(file_, import.dots, import.module);
  PythonMeaning meaning;
  if (import.kind == Statement::Kind::import) {
    if (module == nullptr) return name.meaning;
    meaning.module = module;
    return meaning;
  }
  if (module != nullptr && module->names_.contains(import.member)) {
    return module->look_up(import.member, steps - 1);
  }
  const std::string dot = import.module.empty() ? "" : ".";
  meaning.module = modules_->find(file_, import.dots, import.module + dot + import.member);
  return meaning.module == nullptr ? name.meaning : meaning;
}

PythonMeaning PythonScope::meaning(const Expression& expression) const {
  return meaning(expression, max_name_steps);
}

PythonMeaning PythonScope::look_up(std::string_view name, int steps) const {
  for (const PythonScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->names_.find(name);
    PythonMeaning starred = scope->starred(name, steps);
    if (found == scope->names_.end()) {
      if (is_known(starred)) return starred;
      continue;
    }
    if (!found->second.is_clear || is_known(starred)) return {};
    if (found->second.is_conditional && !scope->stars_.empty()) return {};
    if (found->second.import != nullptr) return scope->imported(found->second, steps);
    const PythonMeaning& meaning = found->second.meaning;
    if (scope->has_open_values_ && meaning.value != nullptr) return {};
    return meaning.value == nullptr ? meaning : scope->meaning(*meaning.value, steps - 1);
  }
  return {};
}

/// What `from module import *` gives: nothing where several may, or where one of the modules is not
/// known. Of the SDKs' names those count that tasks are written with.
PythonMeaning PythonScope::starred(std::string_view name, int steps) const {
  PythonMeaning found;
  if (steps <= 0 || name.starts_with('_')) return found;
  for (const Statement* star : stars_) {
    PythonMeaning meaning;
    if (sdk_of(star->module) != PythonSdk::none && star->dots == 0) {
      const bool is_class = name.front() >= 'A' && name.front() <= 'Z';
      if (is_class || name == "task" || name == "dynamic" || name == "map_task") {
        meaning.name = star->module + "." + std::string(name);
        meaning.scope = this;
      }
    } else {
      const PythonScope* module =
          modules_ == nullptr ? nullptr : modules_->find(file_, star->dots, star->module);
      if (module == nullptr || module->names_.contains("__all__")) return {};
      meaning = module->look_up(name, steps - 1);
    }
    if (!is_known(meaning)) continue;
    if (is_known(found)) return {};
    found = std::move(meaning);
  }
  return found;
}

PythonMeaning PythonScope::member(const PythonMeaning& of, const std::string& name,
                                  int steps) const {
  if (of.module != nullptr) {
    return steps > 0 ? of.module->look_up(name, steps - 1) : PythonMeaning();
  }
  if (!of.name.empty()) {
    PythonMeaning meaning;
    meaning.name = of.name + "." + name;
    meaning.scope = of.scope;
    return meaning;
  }
  if (of.local == nullptr || of.local->kind != Statement::Kind::type || of.scope == nullptr) {
    return {};
  }
  return of.scope->class_member(*of.local, name, steps);
}

/// A constant of a class. What a decorator or a class that is not plain itself makes of it (an
/// enumeration, a model) is not known, nor what its body gives names of its own for.
PythonMeaning PythonScope::class_member(const Statement& of, const std::string& name,
                                        int steps) const {
  const auto is_plain = [&](const Expression& base) {
    const PythonMeaning known = meaning(base, steps - 1);
    return known.local != nullptr && known.local->bases.empty() && known.local->decorators.empty();
  };
  const auto is_harmless = [&](const Expression& decorator) {
    const bool is_call = decorator.is(Expression::Kind::call);
    const PythonMeaning known = meaning(is_call ? decorator.parts[0] : decorator, steps - 1);
    return known.name == "dataclasses.dataclass";
  };
  if (steps <= 0 || !std::ranges::all_of(of.bases, is_plain) ||
      !std::ranges::all_of(of.decorators, is_harmless)) {
    return {};
  }
  const Statement* found = nullptr;
  for (const Statement& each : of.body) {
    if (each.name.text != name) continue;
    if (found != nullptr || each.kind != Statement::Kind::assignment || each.conditional) return {};
    found = &each;
  }
  if (found == nullptr || names_any(found->value, of.body)) return {};
  return meaning(found->value, steps - 1);
}

PythonMeaning PythonScope::meaning(const Expression& expression, int steps) const {
  using Kind = Expression::Kind;
  if (steps <= 0) return {};
  if (expression.is(Kind::name)) return look_up(expression.text, steps);
  if (expression.is(Kind::attribute)) {
    PythonMeaning known = member(meaning(expression.parts[0], steps), expression.text, steps);
    if (is_known(known)) return known;
  }
  PythonMeaning itself;
  itself.value = &expression;
  itself.scope = this;
  return itself;
}

bool PythonScope::is_none(const Expression& expression) const {
  const PythonMeaning known = meaning(expression);
  return known.value != nullptr && known.value->is(Expression::Kind::none);
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

std::optional<PythonArguments> python_arguments(
    const Expression& call, const PythonScope& scope,
    std::initializer_list<std::string_view> parameters) {
  PythonArguments arguments;
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

const PythonArgument* find_argument(const PythonArguments& arguments, std::string_view keyword) {
  for (const PythonArgument& argument : arguments | std::views::reverse) {
    if (argument.keyword != keyword) continue;
    return argument.scope->is_none(*argument.value) ? nullptr : &argument;
  }
  return nullptr;
}

}  // namespace gpulint::flyte

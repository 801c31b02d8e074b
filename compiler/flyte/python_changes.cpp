#include "compiler/flyte/python_changes.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;
using Parameters = std::vector<python::Parameter>;

[[nodiscard]] bool is_name_of(const Parameters& names, std::string_view name) {
  return std::ranges::find(names, name, &python::Parameter::name) != names.end();
}

[[nodiscard]] bool is_name_of(const Parameters& names, const Expression& part) {
  return part.is(Expression::Kind::name) && is_name_of(names, part.text);
}

[[nodiscard]] bool changes_any(const Expression& within, const Parameters& names) {
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

[[nodiscard]] bool changes_any(const std::vector<Statement>& body, const Parameters& names) {
  return std::ranges::any_of(body, [&](const Statement& each) {
    // `names += …` changes a list; other assignments do not
    const bool is_given =
        each.kind == Statement::Kind::change || each.kind == Statement::Kind::assignment;
    return (is_given && is_name_of(names, each.name.text)) || changes_any(each.value, names) ||
           changes_any(each.body, names);
  });
}

}  // namespace

const Expression* changed_by(const Expression& call) {
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

bool is_namespace(std::string_view name) {
  static constexpr std::array<std::string_view, 3> namespaces = {"globals", "locals", "vars"};
  return is_listed(namespaces, name);
}

bool keeps_arguments(std::string_view name) {
  static constexpr std::array<std::string_view, 22> builtins = {
      "all",  "any",  "bool", "dict", "enumerate", "filter", "float", "frozenset",
      "int",  "iter", "len",  "list", "map",       "max",    "min",   "print",
      "repr", "set",  "str",  "sum",  "tuple",     "zip"};
  static constexpr std::array<std::string_view, 8> modules = {
      "flyteplugins", "flytekitplugins", "kubernetes", "functools", "dataclasses", "copy",
      "json",         "itertools"};
  return is_listed(builtins, name) || is_listed(modules, name.substr(0, name.find('.')));
}

bool is_keeping_method(std::string_view name) {
  // methods of lists, and of the SDKs
  static constexpr std::array<std::string_view, 9> methods = {
      "task",   "clone_with", "override", "with_overrides", "add_entity", "append",
      "extend", "update",     "get"};
  return is_listed(methods, name);
}

bool changes_parameters(const Statement& function) {
  return changes_any(function.body, function.parameters);
}

}  // namespace gpulint::flyte

#include "compiler/cel/checker.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/cel/functions.h"

namespace gpulint::cel {
namespace {

constexpr std::array<std::pair<std::string_view, Type::Kind>, 14> names = {{
    {"dyn", Type::Kind::dyn},
    {"null", Type::Kind::null},
    {"bool", Type::Kind::boolean},
    {"int", Type::Kind::integer},
    {"uint", Type::Kind::unsigned_integer},
    {"double", Type::Kind::real},
    {"string", Type::Kind::string},
    {"bytes", Type::Kind::bytes},
    {"list", Type::Kind::list},
    {"map", Type::Kind::map},
    {"quantity", Type::Kind::quantity},
    {"semver", Type::Kind::semver},
    {"device", Type::Kind::device},
    {"optional", Type::Kind::optional},
}};

[[nodiscard]] Type read_type(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of("(),"), rest.size());
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(end);
  if (name == "A" || name == "B") return {Type::Kind::variable, {}, name.front()};
  Type type;
  bool is_known = false;
  for (const auto& [own, kind] : names) {
    if (own != name) continue;
    type.kind = kind;
    is_known = true;
  }
  GPULINT_CHECK(is_known);
  if (!rest.starts_with('(')) return type;
  do {
    rest.remove_prefix(1);
    type.parameters.push_back(read_type(rest));
  } while (rest.starts_with(','));
  rest.remove_prefix(1);
  return type;
}

/// Types for which cel-go's checker accepts null.
[[nodiscard]] bool takes_null(const Type& type) {
  return type.kind == Type::Kind::null || type.kind == Type::Kind::quantity ||
         type.kind == Type::Kind::semver || type.kind == Type::Kind::device ||
         type.kind == Type::Kind::optional;
}

/// Whether `a` is at least as general as `b`.
[[nodiscard]] bool is_as_general(const Type& a, const Type& b) {
  if (a.kind == Type::Kind::dyn) return true;
  if (b.kind == Type::Kind::dyn || a.kind != b.kind) return false;
  for (std::size_t i = 0; i < a.parameters.size() && i < b.parameters.size(); ++i) {
    if (!is_as_general(a.parameters[i], b.parameters[i])) return false;
  }
  return true;
}

[[nodiscard]] bool bind(char letter, const Type& argument, Bindings& bindings) {
  const auto found = bindings.find(letter);
  if (found == bindings.end()) {
    bindings.emplace(letter, argument);
    return true;
  }
  const std::optional<Type> joined = join(found->second, argument);
  if (joined) found->second = *joined;
  return joined.has_value();
}

using Kind = Expression::Kind;

/// Names of types are also values, which are not supported here.
constexpr std::array<std::string_view, 14> type_names = {
    "int", "uint", "double",    "bool", "string",        "bytes", "list",
    "map", "type", "null_type", "dyn",  "optional_type", "any",   "google"};

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  [[nodiscard]] Checked run() {
    Checked checked;
    try {
      checked.result = check(program_.root);
      const Type::Kind kind = checked.result.kind;
      if (kind != Type::Kind::boolean && kind != Type::Kind::dyn) {
        fail(program_.nodes[program_.root],
             "a selector must evaluate to bool, not " + to_string(checked.result));
      }
    } catch (Complaint& complaint) {
      checked.complaint = std::move(complaint);
    }
    return checked;
  }

 private:
  [[noreturn]] static void fail(const Expression& at, std::string text) {
    throw Complaint{Understood::invalid, std::move(text), at.begin};
  }
  [[noreturn]] static void leave_open(const Expression& at, std::string text) {
    throw Complaint{Understood::open, std::move(text), at.begin};
  }

  [[nodiscard]] Type check(Index index);
  [[nodiscard]] Type check_name(const Expression& expression) const;
  [[nodiscard]] Type check_select(const Expression& expression);
  [[nodiscard]] Type check_list(const Expression& expression);
  [[nodiscard]] Type check_map(const Expression& expression);
  [[nodiscard]] Type check_call(const Expression& expression);
  [[nodiscard]] Type check_overloads(const Expression& expression, std::string_view overloads,
                                     const std::vector<Type>& arguments);
  [[nodiscard]] Type check_comprehension(const Expression& expression);
  [[nodiscard]] Type check_binding(const Expression& expression);
  void check_condition(Index index);
  void check_conversion(const Expression& expression, const Function& function) const;
  [[nodiscard]] Type joined(const Expression& at, const Type& before, const Type& next);
  [[nodiscard]] Type scoped(const std::string& name, Type type, Index body);

  const Program& program_;
  std::vector<std::pair<std::string, Type>> scope_;
};

[[nodiscard]] Type literal_type(const Value& value) {
  if (value.as<bool>() != nullptr) return type_of(Type::Kind::boolean);
  if (value.as<std::int64_t>() != nullptr) return type_of(Type::Kind::integer);
  if (value.as<std::uint64_t>() != nullptr) return type_of(Type::Kind::unsigned_integer);
  if (value.as<double>() != nullptr) return type_of(Type::Kind::real);
  if (value.as<std::string>() != nullptr) return type_of(Type::Kind::string);
  if (value.as<Bytes>() != nullptr) return type_of(Type::Kind::bytes);
  return type_of(Type::Kind::null);
}

Type Checker::check(Index index) {
  const Expression& expression = program_.nodes[index];
  switch (expression.kind) {
    case Kind::literal:
      return literal_type(expression.literal);
    case Kind::identifier:
      return check_name(expression);
    case Kind::select:
    case Kind::present:
      return check_select(expression);
    case Kind::index:
    case Kind::call:
      return check_call(expression);
    case Kind::list:
      return check_list(expression);
    case Kind::map:
      return check_map(expression);
    case Kind::all:
    case Kind::exists:
    case Kind::exists_one:
    case Kind::transform:
    case Kind::filter:
      return check_comprehension(expression);
    case Kind::bind:
    case Kind::opt_map:
    case Kind::opt_flat_map:
      return check_binding(expression);
  }
  leave_open(expression, "an unknown expression");
}

Type Checker::check_name(const Expression& expression) const {
  const auto found = std::find_if(scope_.rbegin(), scope_.rend(), [&](const auto& variable) {
    return variable.first == expression.name;
  });
  if (found != scope_.rend()) return found->second;
  if (expression.name == "device") return type_of(Type::Kind::device);
  if (std::ranges::count(type_names, std::string_view(expression.name)) > 0) {
    leave_open(expression, "the name of a type as a value");
  }
  fail(expression, "'" + expression.name + "' is unknown, because selectors can use only 'device'");
}

[[nodiscard]] std::optional<Type> device_field(std::string_view name);

Type Checker::check_select(const Expression& expression) {
  const Type operand = check(expression.operands[0]);
  const bool was_optional = operand.kind == Type::Kind::optional;
  const Type target =
      was_optional ? (operand.parameters.empty() ? Type{} : operand.parameters[0]) : operand;
  Type result;
  if (target.kind == Type::Kind::map) {
    if (target.parameters.size() == 2) result = target.parameters[1];
  } else if (target.kind == Type::Kind::device) {
    const std::optional<Type> field = device_field(expression.name);
    if (!field) fail(expression, "device has no field '" + expression.name + "'");
    result = *field;
  } else if (target.kind != Type::Kind::dyn) {
    fail(expression, to_string(target) + " has no fields");
  }
  if (expression.kind == Kind::present) return type_of(Type::Kind::boolean);
  if (!was_optional && !expression.is_optional) return result;
  return type_of(Type::Kind::optional, {result});
}

Type Checker::joined(const Expression& at, const Type& before, const Type& next) {
  const std::optional<Type> both = join(before, next);
  if (!both) {
    fail(at, "items of different types: " + to_string(before) + " and " + to_string(next));
  }
  // the API server requires literals of one type throughout, and counts dyn as a type
  if (!(before == next)) {
    leave_open(at, "items of types that are not the same");
  }
  return *both;
}

Type Checker::check_list(const Expression& expression) {
  std::optional<Type> item;
  for (const Index operand : expression.operands) {
    const Type type = check(operand);
    item = item ? joined(program_.nodes[operand], *item, type) : type;
  }
  return type_of(Type::Kind::list, {item.value_or(Type{})});
}

Type Checker::check_map(const Expression& expression) {
  std::optional<Type> parts[2];
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    std::optional<Type>& part = parts[i % 2];
    const Type type = check(expression.operands[i]);
    part = part ? joined(program_.nodes[expression.operands[i]], *part, type) : type;
  }
  return type_of(Type::Kind::map, {parts[0].value_or(Type{}), parts[1].value_or(Type{})});
}

Type Checker::check_call(const Expression& expression) {
  std::vector<Type> arguments;
  const bool is_index = expression.kind == Kind::index;
  const Function* function = expression.function;
  if (!is_index && function == nullptr) {
    leave_open(expression, "the function '" + expression.name + "', which is not read here");
  }
  for (const Index operand : expression.operands) arguments.push_back(check(operand));
  if (expression.name == "matches" && arguments.size() == 2) {
    const Expression& pattern = program_.nodes[expression.operands[1]];
    const bool is_constant = pattern.literal.as<std::string>() != nullptr;
    if (is_constant && expression.regex == nullptr) {
      fail(pattern, "the regular expression is not valid");
    }
  }
  if (!is_index) {
    const Type result = check_overloads(expression, function->overloads, arguments);
    check_conversion(expression, *function);
    return result;
  }
  return check_overloads(
      expression,
      expression.is_optional
          ? "list(A),int:optional(A)|optional(list(A)),int:optional(A)|map(A,B),A:optional(B)|"
            "optional(map(A,B)),A:optional(B)"
          : "list(A),int:A|map(A,B),A:B|optional(list(A)),int:optional(A)|"
            "optional(map(A,B)),A:optional(B)",
      arguments);
}

/// cel-go converts constants before it runs a program, and rejects those that do not convert.
void Checker::check_conversion(const Expression& expression, const Function& function) const {
  static constexpr std::array<std::string_view, 6> conversions = {"int",  "uint",   "double",
                                                                  "bool", "string", "bytes"};
  if (std::ranges::count(conversions, function.name) == 0) return;
  const Expression& argument = program_.nodes[expression.operands[0]];
  if (argument.kind != Kind::literal) return;
  const Value converted = function.run(std::span(&argument.literal, 1));
  if (const auto* failed = converted.as<Failure>()) fail(expression, failed->text);
}

/// `map(string,quantity)`, `list(A)` … of our own signatures: must be valid.
[[nodiscard]] Type parse_type(std::string_view text) { return read_type(text); }

/// The parameters and the result of `int,list(A):bool`.
[[nodiscard]] std::pair<std::vector<Type>, Type> read_overload(std::string_view text) {
  const std::size_t colon = text.find(':');
  // wrapped in a type, it is parsed in one go: `list(int,list(A))`
  std::vector<Type> parameters;
  if (colon > 0) {
    parameters = parse_type("list(" + std::string(text.substr(0, colon)) + ")").parameters;
  }
  return {std::move(parameters), parse_type(text.substr(colon + 1))};
}

/// Whether an argument is accepted for a parameter, as cel-go's checker decides it: `dyn` matches
/// everything. Binds the parameter's variables.
[[nodiscard]] bool is_assignable(const Type& parameter, const Type& argument, Bindings& bindings) {
  if (parameter.kind == Type::Kind::variable) return bind(parameter.letter, argument, bindings);
  if (parameter.kind == Type::Kind::dyn || argument.kind == Type::Kind::dyn) return true;
  if (parameter.kind == Type::Kind::null) return takes_null(argument);
  if (argument.kind == Type::Kind::null) return takes_null(parameter);
  if (parameter.kind != argument.kind) return false;
  for (std::size_t i = 0; i < parameter.parameters.size(); ++i) {
    if (i >= argument.parameters.size()) return true;
    if (!is_assignable(parameter.parameters[i], argument.parameters[i], bindings)) return false;
  }
  return true;
}

/// The type with its variables replaced; free ones become `dyn`.
[[nodiscard]] Type substitute(const Type& type, const Bindings& bindings) {
  if (type.kind == Type::Kind::variable) {
    const auto found = bindings.find(type.letter);
    return found == bindings.end() ? Type{} : found->second;
  }
  Type made = type;
  for (Type& parameter : made.parameters) parameter = substitute(parameter, bindings);
  return made;
}

Type Checker::check_overloads(const Expression& expression, std::string_view overloads,
                              const std::vector<Type>& arguments) {
  std::optional<Type> result;
  while (!overloads.empty()) {
    const std::size_t end = std::min(overloads.find('|'), overloads.size());
    const auto [parameters, made] = read_overload(overloads.substr(0, end));
    overloads.remove_prefix(std::min(end + 1, overloads.size()));
    if (parameters.size() != arguments.size()) continue;
    Bindings bindings;
    bool fits = true;
    for (std::size_t i = 0; i < arguments.size() && fits; ++i) {
      fits = is_assignable(parameters[i], arguments[i], bindings);
    }
    if (!fits) continue;
    const Type one = substitute(made, bindings);
    result = !result || *result == one ? one : Type{};
  }
  if (result) return *result;
  std::string given;
  for (const Type& argument : arguments) {
    given += (given.empty() ? "" : ", ") + to_string(argument);
  }
  std::string name = expression.kind == Kind::index ? "[]" : expression.name;
  std::erase(name, '_');
  fail(expression, "'" + name + "' does not accept the types (" + given + ")");
}

Type Checker::scoped(const std::string& name, Type type, Index body) {
  scope_.emplace_back(name, std::move(type));
  Type result = check(body);
  scope_.pop_back();
  return result;
}

void Checker::check_condition(Index index) {
  const Type type = check(index);
  if (type.kind != Type::Kind::boolean && type.kind != Type::Kind::dyn) {
    fail(program_.nodes[index], "a condition must be bool, not " + to_string(type));
  }
}

Type Checker::check_comprehension(const Expression& expression) {
  const Expression& source = program_.nodes[expression.operands[0]];
  const bool is_literal = source.kind == Kind::list || source.kind == Kind::map;
  if (is_literal && source.operands.empty()) {
    leave_open(expression, "an iteration over an empty literal");
  }
  const Type range = check(expression.operands[0]);
  Type item;
  if (range.kind == Type::Kind::list || range.kind == Type::Kind::map) {
    if (!range.parameters.empty()) item = range.parameters[0];
  } else if (range.kind != Type::Kind::dyn) {
    fail(expression, to_string(range) + " has no items to iterate over");
  }
  scope_.emplace_back(expression.name, item);
  Type result = type_of(Type::Kind::boolean);
  if (expression.kind == Kind::transform) {
    if (expression.operands.size() == 3) check_condition(expression.operands[1]);
    result = type_of(Type::Kind::list, {check(expression.operands.back())});
  } else {
    check_condition(expression.operands[1]);
    if (expression.kind == Kind::filter) result = type_of(Type::Kind::list, {item});
  }
  scope_.pop_back();
  return result;
}

Type Checker::check_binding(const Expression& expression) {
  const Type bound = check(expression.operands[0]);
  if (expression.kind == Kind::bind) {
    return scoped(expression.name, bound, expression.operands[1]);
  }
  const bool is_optional = bound.kind == Type::Kind::optional;
  if (!is_optional && bound.kind != Type::Kind::dyn) {
    fail(expression, to_string(bound) + " is not optional");
  }
  const Type value = is_optional && !bound.parameters.empty() ? bound.parameters[0] : Type{};
  Type result = scoped(expression.name, value, expression.operands[1]);
  if (expression.kind == Kind::opt_map) return type_of(Type::Kind::optional, {result});
  if (result.kind == Type::Kind::optional || result.kind == Type::Kind::dyn) return result;
  fail(expression, "optFlatMap() requires an optional, not " + to_string(result));
}

/// The type of `device.<name>`; nullopt: there is no such field.
[[nodiscard]] std::optional<Type> device_field(std::string_view name) {
  if (name == "driver") return type_of(Type::Kind::string);
  if (name == "allowMultipleAllocations") return type_of(Type::Kind::boolean);
  if (name == "attributes") return parse_type("map(string,map(string,dyn))");
  if (name == "capacity") return parse_type("map(string,map(string,quantity))");
  return std::nullopt;
}

}  // namespace

Type type_of(Type::Kind kind, std::vector<Type> parameters) {
  return {kind, std::move(parameters), 0};
}

std::string to_string(const Type& type) {
  if (type.kind == Type::Kind::variable) return {1, type.letter};
  std::string text;
  for (const auto& [name, kind] : names) {
    if (kind == type.kind) text = name;
  }
  if (type.parameters.empty()) return text;
  text += "(";
  for (std::size_t i = 0; i < type.parameters.size(); ++i) {
    text += (i == 0 ? "" : ", ") + to_string(type.parameters[i]);
  }
  return text + ")";
}

std::optional<Type> join(const Type& a, const Type& b) {
  Bindings none;
  if (!is_assignable(a, b, none)) return std::nullopt;
  return is_as_general(a, b) ? a : b;
}

Checked check_types(const Program& program) {
  if (program.complaint.understood != Understood::fully) return {program.complaint, {}};
  return Checker(program).run();
}

}  // namespace gpulint::cel

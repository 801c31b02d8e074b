#include "compiler/cel/type.h"

#include <array>
#include <utility>

#include "compiler/base/check.h"

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

/// What cel-go's checker lets null stand for.
[[nodiscard]] bool takes_null(const Type& type) {
  return type.kind == Type::Kind::null || type.kind == Type::Kind::quantity ||
         type.kind == Type::Kind::semver || type.kind == Type::Kind::device ||
         type.kind == Type::Kind::optional;
}

/// Whether `a` says no more than `b`.
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

}  // namespace

Type type_of(Type::Kind kind, std::vector<Type> parameters) {
  return {kind, std::move(parameters), 0};
}

Type parse_type(std::string_view text) { return read_type(text); }

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

bool is_assignable(const Type& parameter, const Type& argument, Bindings& bindings) {
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

Type substitute(const Type& type, const Bindings& bindings) {
  if (type.kind == Type::Kind::variable) {
    const auto found = bindings.find(type.letter);
    return found == bindings.end() ? Type{} : found->second;
  }
  Type made = type;
  for (Type& parameter : made.parameters) parameter = substitute(parameter, bindings);
  return made;
}

std::optional<Type> join(const Type& a, const Type& b) {
  Bindings none;
  if (!is_assignable(a, b, none)) return std::nullopt;
  return is_as_general(a, b) ? a : b;
}

std::optional<Type> device_field(std::string_view name) {
  if (name == "driver") return type_of(Type::Kind::string);
  if (name == "allowMultipleAllocations") return type_of(Type::Kind::boolean);
  if (name == "attributes") return parse_type("map(string,map(string,dyn))");
  if (name == "capacity") return parse_type("map(string,map(string,quantity))");
  return std::nullopt;
}

}  // namespace gpulint::cel

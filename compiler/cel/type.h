#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::cel {

/// A static type of CEL, as far as device selectors meet them.
struct Type {
  enum class Kind : std::uint8_t {
    dyn,
    null,
    boolean,
    integer,
    unsigned_integer,
    real,
    string,
    bytes,
    list,
    map,
    quantity,
    semver,
    device,
    optional,
    variable  ///< `A` or `B` of a signature.
  };
  Kind kind = Kind::dyn;
  std::vector<Type> parameters;  ///< Of lists, maps and optionals.
  char letter = 0;               ///< Of variables.

  friend bool operator==(const Type&, const Type&) = default;
};

/// What the variables of a signature stand for.
using Bindings = std::map<char, Type>;

/// A list, map or optional of something unknown, or a plain type.
[[nodiscard]] Type type_of(Type::Kind kind, std::vector<Type> parameters = {});
/// `map(string,quantity)`, `list(A)` …; of signatures, which are our own: they must be right.
[[nodiscard]] Type parse_type(std::string_view text);
/// `map(string, quantity)`, for messages.
[[nodiscard]] std::string to_string(const Type& type);

/// Whether an argument can be given where the parameter is expected, as cel-go's checker decides
/// it: `dyn` goes with everything. Binds the parameter's variables.
[[nodiscard]] bool is_assignable(const Type& parameter, const Type& argument, Bindings& bindings);
/// The type with its variables replaced, `dyn` for those that are free.
[[nodiscard]] Type substitute(const Type& type, const Bindings& bindings);
/// The more general of two types that go together; nullopt: they do not.
[[nodiscard]] std::optional<Type> join(const Type& a, const Type& b);
/// The type of `device.<name>`; nullopt: there is no such field.
[[nodiscard]] std::optional<Type> device_field(std::string_view name);

}  // namespace gpulint::cel

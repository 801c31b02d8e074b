#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cel/expression.h"

namespace gpulint::cel {

/// A static type of CEL, as far as device selectors use them.
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
  std::vector<Type> parameters;  ///< For lists, maps and optionals.
  char letter = 0;               ///< For variables.

  friend bool operator==(const Type&, const Type&) = default;
};

/// The types of a signature's variables.
using Bindings = std::map<char, Type>;

/// A list, map or optional of an unknown type, or a plain type.
[[nodiscard]] Type type_of(Type::Kind kind, std::vector<Type> parameters = {});

/// `map(string, quantity)`, for messages.
[[nodiscard]] std::string to_string(const Type& type);

/// The more general of two compatible types; nullopt: they are not compatible.
[[nodiscard]] std::optional<Type> join(const Type& a, const Type& b);

/// The result of type checking.
struct Checked {
  Complaint complaint;
  Type result;
};

/// Checks the types of a device selector as the API server does; the only variable is `device`.
/// Functions that are unknown here make the result unknown: other versions of Kubernetes have
/// others. Facts: k8s.io/dynamic-resource-allocation v0.37 (cel/compile.go), cel-go v0.29
/// (checker).
[[nodiscard]] Checked check_types(const Program& program);

}  // namespace gpulint::cel

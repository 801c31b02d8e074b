#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cel/expression.h"

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

/// `map(string, quantity)`, for messages.
[[nodiscard]] std::string to_string(const Type& type);

/// The more general of two types that go together; nullopt: they do not.
[[nodiscard]] std::optional<Type> join(const Type& a, const Type& b);

/// What the type checker makes of a program.
struct Checked {
  Complaint complaint;
  Type result;
};

/// Types a device selector as the API server does; the only variable is `device`. Functions that
/// are not known here leave it open: Kubernetes has more of them, other versions have others.
/// Facts: k8s.io/dynamic-resource-allocation v0.37 (cel/compile.go), cel-go v0.29 (checker).
[[nodiscard]] Checked check_types(const Program& program);

}  // namespace gpulint::cel

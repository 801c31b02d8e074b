#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "compiler/cel/value.h"

namespace gpulint::cel {

/// A function or operator with all its overloads. Facts: the CEL language definition; the libraries
/// of cel-go v0.29 (ext/strings.go) and k8s.io/apiserver v0.37 (pkg/cel/library).
struct Function {
  std::string_view name;
  bool is_member = false;
  /// `int,int:int|string,string:string`: arguments (a member's receiver first) and result.
  std::string_view overloads;
  /// Receives arguments that are neither failures nor unknown; returns a failure if no overload
  /// fits.
  Value (*run)(std::span<const Value> arguments) = nullptr;
};

[[nodiscard]] std::span<const Function> operator_functions();
[[nodiscard]] std::span<const Function> text_functions();

/// Null: not supported here, although Kubernetes may have it.
[[nodiscard]] const Function* find_function(std::string_view name, bool is_member);

/// A regular expression for RE2, which Kubernetes' CEL uses.
struct Regex;
/// Null: RE2 rejects it.
[[nodiscard]] std::shared_ptr<const Regex> compile_regex(std::string_view text);
/// Whether it matches some part of the text.
[[nodiscard]] bool finds(const Regex& regex, std::string_view text);

}  // namespace gpulint::cel

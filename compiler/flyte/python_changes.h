#pragma once

#include <string_view>

#include "compiler/ir/python.h"

namespace gpulint::flyte {

/// What a call changes in place: `names.update(…)`, `setattr(name, …)`; null where it is nothing.
[[nodiscard]] const python::Expression* changed_by(const python::Expression& call);

/// Whether it is a function whose result, where one writes to it, gives the module's names other
/// values: `globals()["N"] = …`.
[[nodiscard]] bool is_namespace(std::string_view name);

/// Whether a function of Python, its library, the SDKs' plugins or the API leaves its arguments as
/// they are.
/// `name`: as it is imported; of what is not, as it is written.
[[nodiscard]] bool keeps_arguments(std::string_view name);

/// The same of a method, whatever it is called on.
[[nodiscard]] bool is_keeping_method(std::string_view name);

/// Whether a function of the source may change what it is called with.
[[nodiscard]] bool changes_parameters(const python::Statement& function);

}  // namespace gpulint::flyte

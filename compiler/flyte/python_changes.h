#pragma once

#include <string_view>

#include "compiler/ir/python.h"

namespace gpulint::flyte {

/// The value that a call changes in place: `names.update(…)`, `setattr(name, …)`; null if none.
[[nodiscard]] const python::Expression* changed_by(const python::Expression& call);

/// Whether it is a function whose result gives access to the module's names: `globals()["N"] = …`
/// changes them.
[[nodiscard]] bool is_namespace(std::string_view name);

/// Whether a function of Python, its library, the SDKs' plugins or the API leaves its arguments
/// unchanged. `name`: its imported name; if it is not imported, as written.
[[nodiscard]] bool keeps_arguments(std::string_view name);

/// The same for a method, called on any value.
[[nodiscard]] bool is_keeping_method(std::string_view name);

/// Whether a function of the source may change its arguments.
[[nodiscard]] bool changes_parameters(const python::Statement& function);

}  // namespace gpulint::flyte

#include "compiler/flyte/python_sdk.h"

namespace gpulint::flyte {

PythonSdk sdk_of(std::string_view name) {
  const std::string_view package = name.substr(0, name.find('.'));
  if (package == "flytekit" || package == "union") return PythonSdk::flytekit;
  return package == "flyte" ? PythonSdk::flyte2 : PythonSdk::none;
}

}  // namespace gpulint::flyte

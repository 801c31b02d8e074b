#pragma once

#include <string>

namespace gpulint {

/// A finite float64 as Go's encoding/json writes it.
[[nodiscard]] std::string json_number(double value);

/// A float as sigs.k8s.io/yaml writes it where it is a mapping's key: with the digits of a float32,
/// `%e` from 1e+06 on, `.inf` and `.nan` by name.
[[nodiscard]] std::string key_number(double value);

}  // namespace gpulint

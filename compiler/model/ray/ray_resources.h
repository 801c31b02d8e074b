#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gpulint {

/// The value of `rayStartParams.resources`: custom resources as JSON text.
struct RayResources {
  enum class State : std::uint8_t {
    map,     ///< A JSON map of numbers.
    null,    ///< JSON null: KubeRay panics when it adds to it.
    invalid  ///< Anything else: KubeRay then derives no accelerator at all.
  };
  State state = State::map;
  std::map<std::string, double> amounts;
};

/// Reads the text as KubeRay does: quotes, backticks and blanks around the JSON are stripped.
[[nodiscard]] RayResources parse_ray_resources(std::string_view text);

/// The form that KubeRay passes to `ray start`: JSON with sorted keys in single quotes.
[[nodiscard]] std::string format_ray_resources(const std::map<std::string, double>& amounts);

}  // namespace gpulint

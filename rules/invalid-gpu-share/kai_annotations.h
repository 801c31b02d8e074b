#pragma once

#include <string_view>

namespace gpulint::rules::invalid_gpu_share {

// Annotations by which pods ask KAI-Scheduler for part of a GPU: kai-scheduler/KAI-Scheduler
// d5bc503a1463, pkg/common/constants/constants.go, and the checks of its webhook,
// pkg/binder/plugins/gpusharing/gpu-request/gpu_request_validator.go.

inline constexpr std::string_view fraction_key = "gpu-fraction";
inline constexpr std::string_view memory_key = "gpu-memory";
inline constexpr std::string_view devices_key = "gpu-fraction-num-devices";

/// The annotation that a key was meant for (`nvidia.com/gpu.memory`, `gpu-fractions`); empty where
/// none is.
[[nodiscard]] std::string_view meant_key(std::string_view key);

/// More than nothing and less than one.
[[nodiscard]] bool is_fraction(std::string_view text);

[[nodiscard]] bool is_positive_integer(std::string_view text);

}  // namespace gpulint::rules::invalid_gpu_share

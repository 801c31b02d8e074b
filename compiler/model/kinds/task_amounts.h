#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// The amounts that a task may request, in Flyte's words: flyteidl's `Resources.ResourceName`
/// (which also has `STORAGE`, unused). Only the pod template of a task can name other resources.
inline constexpr std::array<std::string_view, 4> task_amounts = {"gpu", "cpu", "memory",
                                                                 "ephemeral-storage"};

/// Whether a container task can request the resource.
[[nodiscard]] bool is_task_amount(std::string_view name);

/// Whether the pod template of a task can (target `k8s_pod`): also extended resources, with their
/// names in Kubernetes.
[[nodiscard]] bool is_pod_amount(std::string_view name);

/// The word that an unknown one probably means: `mem`, `gpus`, `nvidia.com/gpu`.
[[nodiscard]] std::optional<std::string_view> meant_task_amount(std::string_view name);

/// What a task has instead, as a sentence fragment, if a word alone is not enough.
[[nodiscard]] std::string task_amount_help(std::string_view name);

}  // namespace gpulint

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// What a task may ask for, in Flyte's words: flyteidl's `Resources.ResourceName` has these (and
/// `STORAGE`, which nothing reads). Other resources only the pod template of a task can name.
inline constexpr std::array<std::string_view, 4> task_amounts = {"gpu", "cpu", "memory",
                                                                 "ephemeral-storage"};

/// Whether a container task can ask for the resource.
[[nodiscard]] bool is_task_amount(std::string_view name);

/// Whether the pod template of a task can (target `k8s_pod`): also extended resources, by their
/// names in Kubernetes.
[[nodiscard]] bool is_pod_amount(std::string_view name);

/// The word that is likely meant by one that is none: `mem`, `gpus`, `nvidia.com/gpu`.
[[nodiscard]] std::optional<std::string_view> meant_task_amount(std::string_view name);

/// What a task has instead, as a sentence fragment, where another word alone does not say it.
[[nodiscard]] std::string task_amount_help(std::string_view name);

}  // namespace gpulint

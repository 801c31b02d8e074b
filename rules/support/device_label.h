#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules {

/// The label in which nodes of the first GPU days told their model: `Tesla K80`.
inline constexpr std::string_view alpha_device_label = "alpha.kubernetes.io/nvidia-gpu-name";

/// The label that tells it now: the provider's where it is known and has one, else that of NVIDIA's
/// GPU feature discovery.
[[nodiscard]] std::string_view device_label(const Corpus& corpus);

/// A GPU's name as a value of that label; nullopt where the facts know none.
[[nodiscard]] std::optional<std::string> device_label_value(std::string_view label,
                                                            std::string_view gpu_name);

/// For a scalar of a node selector requirement on the alpha label, what it becomes in one on
/// `label`: the key itself and each of its `values`. nullopt for every other scalar.
[[nodiscard]] std::optional<std::string> modern_requirement_text(Node scalar,
                                                                 std::string_view label);

}  // namespace gpulint::rules

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/flyte/analysis.h"
#include "compiler/ir/node.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// The label of the GPU model in alpha releases of Kubernetes' GPU support: `Tesla K80`.
inline constexpr std::string_view alpha_device_label = "alpha.kubernetes.io/nvidia-gpu-name";

/// The current label of the GPU model: GKE's if the provider is GKE, else that of NVIDIA's GPU
/// Feature Discovery.
[[nodiscard]] std::string_view device_label(const Corpus& corpus);

/// A GPU's name as a value of that label; nullopt if the facts have none.
[[nodiscard]] std::optional<std::string> device_label_value(std::string_view label,
                                                            std::string_view gpu_name);

/// The new text of a scalar in a requirement on the alpha label if that becomes one on `label`: of
/// the key and of each of its `values`. nullopt for every other scalar.
[[nodiscard]] std::optional<std::string> modern_requirement_text(Node scalar,
                                                                 std::string_view label);

// Compares the node labels that Flyte requires (`gpu-device-node-label`,
// `gpu-partition-size-node-label`) with the nodes or the provider of a scope.

enum class FlyteLabel : std::uint8_t { device, partition };
/// `gpu-device-node-label`, `gpu-partition-size-node-label`.
[[nodiscard]] std::string_view setting_name(FlyteLabel label);
/// `device`, `partition`: the label's role in the table of the providers' labels.
[[nodiscard]] std::string_view role_of(FlyteLabel label);

/// A label that nodes do not have.
struct LabelMismatch {
  std::string key;
  Node place;  ///< The setting's value; the section if Flyte's default applies.
  bool is_default = false;
  /// Known nodes lack it, or the provider cannot set it; else a user could have set it.
  bool is_certain = true;
  std::string claim;  ///< `no GPU node has this label`, `GKE nodes do not have this label` …
  Node evidence;      ///< A known node, or what shows the provider; may be nothing.
  std::string evidence_text;
  std::string suggestion;  ///< The label that nodes have; may be empty.
  std::string reason;      ///< For the suggestion: `your nodes have the label …`
};

/// Nothing if the label may be right, or if nothing depends on it.
[[nodiscard]] std::optional<LabelMismatch> find_mismatch(const Corpus& corpus,
                                                         const flyte::Installation& installation,
                                                         FlyteLabel label);

/// Whether a rule about Flyte's labels reports the cause; unmatched-node-selector then does not.
[[nodiscard]] bool is_matter_of_flyte_labels(const Corpus& corpus, const Cause& cause);

/// The label's key of a configuration; unknown where it is templated.
[[nodiscard]] const Field<std::string>& label_key(const flyte::Installation& installation,
                                                  FlyteLabel label);

}  // namespace gpulint::rules

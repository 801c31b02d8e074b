#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/placement_analysis.h"

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

// How the labels that Flyte demands of nodes (`gpu-device-node-label`,
// `gpu-partition-size-node-label`) agree with the nodes or the provider that a scope knows.

enum class FlyteLabel : std::uint8_t { device, partition };

/// A label that nodes do not carry.
struct LabelMismatch {
  std::string key;
  Node place;  ///< The setting's value; the section where Flyte's default is in force.
  bool is_default = false;
  /// Known nodes lack it, or the provider cannot have it; else a user could have set it.
  bool is_certain = true;
  std::string claim;  ///< `no known GPU node carries`, `nodes of gke cannot carry` …
  Node evidence;      ///< A known node, or what tells the provider; may be nothing.
  std::string evidence_text;
  std::string suggestion;  ///< The label that nodes do carry; may be empty.
};

/// Nothing where the label may be right, or where nothing depends on it.
[[nodiscard]] std::optional<LabelMismatch> find_mismatch(const Corpus& corpus,
                                                         const flyte::Installation& installation,
                                                         FlyteLabel label);

/// A finding for each installation with a mismatch; the fix sets the label that nodes carry.
void report_mismatches(const Corpus& corpus, FlyteLabel label, Reporter& reporter);

/// Whether a rule about Flyte's labels speaks of the cause, so that unmatched-node-selector does
/// not.
[[nodiscard]] bool is_matter_of_flyte_labels(const Corpus& corpus, const Cause& cause);

/// The label's key of a configuration; unknown where it is templated.
[[nodiscard]] const Field<std::string>& label_key(const flyte::Installation& installation,
                                                  FlyteLabel label);

}  // namespace gpulint::rules

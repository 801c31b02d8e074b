#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint {

/// What a document is. Each is told by evidence that nothing else has, never by resemblance, so
/// that a document is at most one, and no key that is not part of the evidence changes it.
enum class DocumentRole : std::uint8_t {
  objects,    ///< Kubernetes objects, node pools of operators and kubelet configuration among them.
  fragment,   ///< A pod's spec or template without an object around it.
  terraform,  ///< `terraform show -json`.
  device_plugin_config,
  mig_config,
  flyte_core_values,
  flyte_binary_values,
  flyte_config
};

/// Every role for which there is evidence: none of most files, and at most one.
[[nodiscard]] std::vector<DocumentRole> roles_of(const Document& document);

}  // namespace gpulint

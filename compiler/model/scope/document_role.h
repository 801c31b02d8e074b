#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint {

/// What a document is. Each role has evidence that no other role has, so a document has at most
/// one, and other keys do not change it.
enum class DocumentRole : std::uint8_t {
  objects,    ///< Kubernetes objects, including operators' node pools and kubelet configuration.
  fragment,   ///< A pod's spec or template without an object around it.
  terraform,  ///< `terraform show -json`.
  device_plugin_config,
  mig_config,
  flyte_core_values,
  flyte_binary_values,
  flyte_config
};

/// Every role that has evidence: none for most files, and at most one.
[[nodiscard]] std::vector<DocumentRole> roles_of(const Document& document);

}  // namespace gpulint

#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// What a node's boot script tells its kubelet.
struct KubeletFlags {
  std::string node_labels;
  std::string register_with_taints;
};

/// Finds `--node-labels` and `--register-with-taints` in a script or in user data (base64 or
/// plain); of several the last. Values that hold shell expansions are left out.
[[nodiscard]] KubeletFlags find_kubelet_flags(std::string_view user_data);

}  // namespace gpulint

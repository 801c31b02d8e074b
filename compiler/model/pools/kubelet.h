#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The kubelet flags in a node's boot script.
struct KubeletFlags {
  std::string node_labels;
  std::string register_with_taints;
};

/// Finds `--node-labels` and `--register-with-taints` in a script or in user data (base64 or
/// plain); the last of several. Values with shell expansions are left out.
[[nodiscard]] KubeletFlags find_kubelet_flags(std::string_view user_data);

/// Labels as the kubelet or a tool sets them, each with where it was written.
struct LabelMap {
  std::vector<PoolLabel> labels;  ///< Sorted by key, no key twice.
  std::string error;
};

/// The value of `--node-labels`: `KEY=VALUE,…`; the last of equal keys takes precedence. After an
/// error the labels that were read are kept.
[[nodiscard]] LabelMap parse_node_labels(std::string_view text, Node node);

/// The labels outside its own domains that a kubelet, or its cloud controller, sets on its node
/// (k8s.io/kubelet/pkg/apis).
[[nodiscard]] std::span<const std::string_view> kubelet_labels();

/// Why the kubelet refuses to set these labels on its own node; empty if it sets them.
[[nodiscard]] std::string node_label_error(const std::vector<PoolLabel>& labels);

/// The value of `--register-with-taints`; empty after an error.
struct RegisteredTaints {
  std::vector<Taint> taints;
  std::string error;
};

[[nodiscard]] RegisteredTaints parse_register_with_taints(std::string_view text, Node node);

/// A KubeletConfiguration document: its `registerWithTaints`, also with empty effects.
[[nodiscard]] NodePool read_kubelet_configuration(Node object);

}  // namespace gpulint

#pragma once

#include <string>
#include <string_view>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// The Pod that `kubectl describe pod` prints.
struct DescribedPod {
  Subject subject;
  /// As YAML: name, resources of containers, node selector and tolerations. Each value keeps its
  /// line number. Empty if the text describes no pod.
  std::string manifest;
};

/// The first pod of the text. The command prints no node affinity
/// (kubernetes/kubectl pkg/describe/describe.go, v0.37).
[[nodiscard]] DescribedPod described_pod(std::string_view text);

}  // namespace gpulint::events

#pragma once

#include <string>
#include <string_view>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// The Pod that `kubectl describe pod` prints.
struct DescribedPod {
  Subject subject;
  /// As YAML: its name, the resources of its containers, its node selector and tolerations. Each
  /// value keeps its line. Empty where the text describes no pod.
  std::string manifest;
};

/// Of several pods the first. The command prints no node affinity
/// (kubernetes/kubectl pkg/describe/describe.go, v0.37).
[[nodiscard]] DescribedPod described_pod(std::string_view text);

}  // namespace gpulint::events

#pragma once

#include <string>
#include <string_view>

namespace gpulint::events {

/// The Pod that `kubectl describe pod` prints, as YAML: its name, the resources of its containers,
/// its node selector and tolerations. Each value keeps its line. Of several pods the first; empty
/// where the text describes none. The command prints no node affinity
/// (kubernetes/kubectl pkg/describe/describe.go, v0.37).
[[nodiscard]] std::string described_pod(std::string_view text);

}  // namespace gpulint::events

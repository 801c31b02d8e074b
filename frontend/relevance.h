#pragma once

#include <string_view>

namespace gpulint {

/// Whether text mentions anything that some rule or the model cares about: GPU resources, taints
/// and tolerations, nodes and node pools, Flyte or device-plugin configuration, suppressions. What
/// mentions nothing is skipped unread; a scan of some hundred MB/s decides that.
[[nodiscard]] bool may_concern_gpus(std::string_view text);

/// Whether text may be a Secret with the values of a chart, which are base64, so that what they
/// mention does not show.
[[nodiscard]] bool may_hold_encoded_values(std::string_view text);

}  // namespace gpulint

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/flyte/decode.h"

namespace gpulint::rules::unknown_flyte_key {

/// The sections that Flyte registers where the key is: at the root, or under `plugins`.
[[nodiscard]] std::span<const std::string_view> section_names(const flyte::UnknownKey& unknown);

/// Whether keys about GPUs are anywhere below: misplaced-flyte-key reports those.
[[nodiscard]] bool holds_gpu_keys(Node value);

/// Whether misplaced-flyte-key says where an unknown section or its keys belong.
[[nodiscard]] bool is_told_as_misplaced(const flyte::UnknownKey& unknown);

/// Reports a key outside of `plugins.k8s`. Without `is_whole` it is from the values of a chart: a
/// build of Flyte may have plugins of its own and the chart around it sections, so only a misspelt
/// or misplaced section is reported.
void check_section(Reporter& reporter, const flyte::UnknownKey& unknown,
                   std::optional<std::string_view> suggestion, bool is_whole);

}  // namespace gpulint::rules::unknown_flyte_key

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint::rules::exceeds_hami_cards {

/// What HAMi's device plugin tells of a node in the annotation `hami.io/node-nvidia-register`:
/// `UUID,COUNT,MEMORY,CORES,TYPE,NUMA,HEALTH:` for each card, in later versions the same as a JSON
/// list (Project-HAMi/HAMi 4707fb02c91c, pkg/device/devices.go DecodeNodeDevices,
/// UnMarshalNodeDevices).
struct HamiCards {
  std::int64_t cards = 0;
  std::int64_t largest_memory = 0;  ///< MiB of the card that has most.
  Node node;                        ///< The annotation.
};
/// Nothing where the node has no such annotation, or one in another form.
[[nodiscard]] std::optional<HamiCards> hami_cards(const NodePool& pool);

/// The annotation's text; for tests of its own.
[[nodiscard]] std::optional<HamiCards> parse_hami_cards(std::string_view text);

}  // namespace gpulint::rules::exceeds_hami_cards

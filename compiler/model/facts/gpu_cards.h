#pragma once

#include <string_view>

namespace gpulint {

/// Whether the label value or resource name `wanted` may mean the same GPU as `carried`: another
/// spelling, a part of the name, another size, form or partition. False for the names of two cards:
/// `NVIDIA-H100-80GB-HBM3` and `Tesla-T4`, `p5.48xlarge` and `g4dn.xlarge`. Words with digits
/// (`A100`, `T4`) distinguish cards: `A10` and `A100` are two. `is_device`: the values are names of
/// GPUs. Other values count as names of cards only if both have a word of a known card.
[[nodiscard]] bool may_be_same_card(std::string_view wanted, std::string_view carried,
                                    bool is_device);

}  // namespace gpulint

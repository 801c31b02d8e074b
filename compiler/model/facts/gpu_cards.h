#pragma once

#include <string_view>

namespace gpulint {

/// Whether who wrote the label value or resource name `wanted` may mean the same GPU by `carried`:
/// another spelling, a part of the name, another size, form or partition. False where the names are
/// of two cards: `NVIDIA-H100-80GB-HBM3` and `Tesla-T4`, `p5.48xlarge` and `g4dn.xlarge`. Cards
/// are told apart by the words with digits (`A100`, `T4`), since `A10` is a card as `A100` is.
/// `is_device`: values that are the names of GPUs, whatever they say; other values count as names
/// of cards only where both have a word of a card that is known.
[[nodiscard]] bool may_be_same_card(std::string_view wanted, std::string_view carried,
                                    bool is_device);

}  // namespace gpulint

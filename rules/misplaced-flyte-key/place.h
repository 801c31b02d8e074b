#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "rules/support/flyte_paths.h"

namespace gpulint::rules::misplaced_flyte_key {

[[nodiscard]] inline bool has_dot(std::string_view key) { return key.find('.') != key.npos; }

/// Where a key stands that is one of `plugins.k8s`.
struct Place {
  std::vector<std::string_view> keys;  ///< From the document's root to its mapping.
  bool is_below = false;               ///< In the section or deeper …
  std::size_t depth = 0;               ///< … which is so many keys down.
};

/// Whether Flyte reads the key there, or nobody can say that it was meant for Flyte.
[[nodiscard]] bool is_in_order(const PluginReader& reader, const Place& place,
                               std::string_view key);

/// The keys of `plugins.k8s` that stand beside a misplaced one, it included: a block that was put
/// there as a whole, keys without a GPU meaning among them.
[[nodiscard]] std::vector<Node> misplaced_block(const Place& place, Node misplaced);

}  // namespace gpulint::rules::misplaced_flyte_key

#include "compiler/model/facts/flyte_key_catalog.h"

#include <algorithm>

namespace gpulint {
namespace {

#include "tables/flyte_k8s_plugin_keys.inc"

static_assert(std::ranges::is_sorted(flyte_key_table, {}, &FlytePluginKey::key));

}  // namespace

std::span<const FlytePluginKey> flyte_plugin_keys() { return flyte_key_table; }

const FlytePluginKey* find_flyte_plugin_key(std::string_view key) {
  const auto* found = std::ranges::lower_bound(flyte_key_table, key, {}, &FlytePluginKey::key);
  return found == std::end(flyte_key_table) || found->key != key ? nullptr : found;
}

}  // namespace gpulint

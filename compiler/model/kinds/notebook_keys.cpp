#include "compiler/model/kinds/notebook_keys.h"

namespace gpulint {
namespace {

#include "tables/notebook_keys.inc"

}  // namespace

std::span<const NotebookName> notebook_names() { return notebook_name_table; }

std::span<const std::string_view> notebook_keys() { return notebook_key_table; }

std::span<const std::string_view> spawner_traits() { return spawner_trait_table; }

}  // namespace gpulint

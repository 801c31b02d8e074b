#include "compiler/flyte/type_table.h"

namespace gpulint::flyte {
namespace {

struct GoFieldRow {
  std::string_view structure;
  GoField field;
  FlyteVersion version;  ///< Unknown: both have it.
};

#include "tables/flyte_types.inc"

}  // namespace

TypeTable::TypeTable(FlyteVersion version) {
  for (const GoFieldRow& row : go_fields) {
    const bool is_known = version != FlyteVersion::unknown && row.version != FlyteVersion::unknown;
    if (is_known && row.version != version) continue;
    GoStruct& structure = structs_[row.structure];
    structure.name = row.structure;
    structure.fields.push_back(row.field);
  }
}

const GoStruct* TypeTable::find(GoType type) const {
  const auto at = structs_.find(type);
  return at == structs_.end() ? nullptr : &at->second;
}

}  // namespace gpulint::flyte

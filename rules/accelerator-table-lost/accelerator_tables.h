#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/analysis.h"

namespace gpulint::rules::accelerator_table_lost {

/// Built-in entries of a Flyte 2 table that a configuration drops by giving any of its own. Where
/// declared tasks need some of them, only those.
struct LostEntries {
  std::vector<std::string> names;
  bool are_tasks_known = false;    ///< Tasks with accelerators are declared.
  std::vector<std::string> tasks;  ///< ``task `train` ``: those that need one.
  Node task_node;                  ///< Of the first; may be nothing.
  std::string consequence;         ///< What the first task gets instead.
  std::vector<std::string> lines;  ///< `KEY: value` of the first name, as an item of a list.
};

/// Of `accelerator-devices`: devices whose name alone is not the label's value.
[[nodiscard]] LostEntries find_lost_devices(const flyte::Installation& installation,
                                            const flyte::ConfigValue& table);
/// Of `accelerator-device-classes`.
[[nodiscard]] LostEntries find_lost_classes(const flyte::Installation& installation,
                                            const flyte::ConfigValue& table);

}  // namespace gpulint::rules::accelerator_table_lost

#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/flyte/config_value.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::accelerator_table_lost {

/// Reports a table in the map form, in which Flyte lower-cases every key.
void report_map(const Corpus& corpus, Reporter& reporter, Node table);

/// Reports entries of a list whose keys are not in upper case, in which devices are looked up.
void report_lower_case(const Corpus& corpus, Reporter& reporter, const flyte::ConfigValue& table);

}  // namespace gpulint::rules::accelerator_table_lost

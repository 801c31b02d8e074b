#pragma once

#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::fractional_gpu {

/// Names that count devices or their parts; misspelt and removed ones are other rules' business.
[[nodiscard]] bool counts_devices(std::string_view name);

/// Reports an amount that is no whole number of the device.
void check_amount(const Corpus& corpus, Reporter& reporter, std::string_view name, Node value);

/// The same of amounts in an operator's own words: `quantity` of Spark, `gpu` of Dynamo.
void check_own_words(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::fractional_gpu

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

/// `requestGPU` of a model of vLLM's production stack, of which the chart takes the whole part: 0
/// is no request (helm/templates/_helpers.tpl, a6c01db05f65: `gt (int $modelSpec.requestGPU) 0`).
void check_served_model(Reporter& reporter, Node model);

}  // namespace gpulint::rules::fractional_gpu

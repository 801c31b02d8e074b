#pragma once

#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::gpu_limit_missing {

/// Whether limits that these values lack may be in another layer. Those of JupyterHub are known:
/// its own values have none.
[[nodiscard]] bool may_have_limit_elsewhere(const Corpus& corpus, const Workload& workload,
                                            const Container& container);

}  // namespace gpulint::rules::gpu_limit_missing

#pragma once

#include <optional>

#include "compiler/base/result.h"
#include "compiler/driver/options.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// Whether a document is what KRM functions get: `kind: ResourceList` of `config.kubernetes.io`
/// (KRM functions specification 1.0).
[[nodiscard]] bool is_resource_list(Node document_root);

/// Takes what the list's `functionConfig` says, under `spec` or, of a ConfigMap, under `data`:
/// `failOn`, `select`, `ignore`, `nodes`, `config`, `provider`; lists may be written as
/// `a,b`. An Error where a key or a word means nothing.
[[nodiscard]] std::optional<Error> apply_function_config(Node list, Options& options);

}  // namespace gpulint

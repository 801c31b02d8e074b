#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/kustomize/tree.h"

namespace gpulint::kustomize {

/// Applies the operations of a JSON patch (RFC 6902) as kustomize does it, of which `replace` sets
/// what a mapping lacks, too. False where one cannot
/// be applied (kustomize refuses it then) or is none that is known; `target` is then of no use.
[[nodiscard]] bool apply_json_patch(Value& target, Node operations);

/// What the `add` and `replace` of a JSON patch write, each as the object around its value: of
/// `/spec/nodeSelector` a mapping with `spec`, in it `nodeSelector`.
[[nodiscard]] std::vector<Value> written_by_json_patch(Node operations);

}  // namespace gpulint::kustomize

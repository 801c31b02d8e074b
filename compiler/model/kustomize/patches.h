#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/kustomize/tree.h"

namespace gpulint::kustomize {

/// How the lists of an object are merged: built-in kinds by the keys of Kubernetes' OpenAPI schema
/// (`x-kubernetes-patch-merge-key`), of custom resources they are replaced whole. kustomize carries
/// the schema of one version of Kubernetes; of API versions removed since nothing is claimed.
enum class Lists : unsigned char { keyed, replaced, unknown };

[[nodiscard]] Lists lists_of(std::string_view api_version);

/// What became of an object.
enum class Merged : unsigned char { changed, deleted, unknown };

/// A strategic merge as kustomize does it (kyaml's merge2): mappings merge, null deletes a key,
/// `$patch: delete` and `replace` are obeyed, keyed lists merge with the patch's items first, other
/// lists are replaced. `unknown` where a directive is none of these; `base` is then of no use.
[[nodiscard]] Merged merge(Value& base, const Value& patch, Lists lists);

/// What the patch writes, without its directives and what it deletes.
[[nodiscard]] Value written_by(const Value& patch);

/// Applies the operations of a JSON patch (RFC 6902) as kustomize does it, of which `replace` sets
/// what a mapping lacks, too. False where one cannot
/// be applied (kustomize refuses it then) or is none that is known; `target` is then of no use.
[[nodiscard]] bool apply_json_patch(Value& target, Node operations);

/// What the `add` and `replace` of a JSON patch write, each as the object around its value: of
/// `/spec/nodeSelector` a mapping with `spec`, in it `nodeSelector`.
[[nodiscard]] std::vector<Value> written_by_json_patch(Node operations);

}  // namespace gpulint::kustomize

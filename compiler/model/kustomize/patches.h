#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/kustomize/tree.h"

namespace gpulint::kustomize {

/// How the lists of an object are merged: for built-in kinds by the keys of Kubernetes' OpenAPI
/// schema (`x-kubernetes-patch-merge-key`); lists of custom resources are replaced. kustomize
/// contains the schema of one version of Kubernetes; for API versions removed since, the result is
/// unknown.
enum class Lists : unsigned char { keyed, replaced, unknown };

[[nodiscard]] Lists lists_of(std::string_view api_version);

/// The effect on an object.
enum class Merged : unsigned char { changed, deleted, unknown };

/// A strategic merge as in kustomize (kyaml's merge2): mappings merge, null deletes a key, `$patch:
/// delete` and `replace` are applied, keyed lists merge with the patch's items first, other lists
/// are replaced. `unknown` for any other directive; `base` is then not usable.
[[nodiscard]] Merged merge(Value& base, const Value& patch, Lists lists);

/// What the patch writes, without directives and deletions.
[[nodiscard]] Value written_by(const Value& patch);

/// Applies the operations of a JSON patch (RFC 6902) as kustomize does; its `replace` also sets
/// missing keys. Returns false if an operation is unknown or cannot be applied (kustomize then
/// rejects it); `target` is then not usable.
[[nodiscard]] bool apply_json_patch(Value& target, Node operations);

/// What the `add` and `replace` of a JSON patch write, each with the object around its value: for
/// `/spec/nodeSelector` a mapping `spec` with `nodeSelector`.
[[nodiscard]] std::vector<Value> written_by_json_patch(Node operations);

}  // namespace gpulint::kustomize

#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// One Kubernetes object: a document, or an item of a List.
struct KubernetesObject {
  Node node;
  Field<std::string> api_version;  ///< Absent in items of typed lists and in fragments.
  Field<std::string> kind;         ///< For items without one: their list's kind without `List`.
};

/// The object of a document, or those of a List (`List`, `NodeList` …; also nested ones), in order.
/// Empty for a document that is not a mapping.
[[nodiscard]] std::vector<KubernetesObject> find_objects(Node document_root);

/// `metadata.name`, or `generateName` with `*` for the generated part; empty if neither is known.
[[nodiscard]] std::string object_name(Node object);
/// `metadata.namespace`, or `default`.
[[nodiscard]] std::string object_namespace(Node object);

}  // namespace gpulint

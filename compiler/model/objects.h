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
  Field<std::string> kind;         ///< Of items without one: their list's kind without `List`.
};

/// The object of a document, or those of a List (`List`, `NodeList` …; nested ones too), in order.
/// A document that is no mapping holds none.
[[nodiscard]] std::vector<KubernetesObject> find_objects(Node document_root);

/// `metadata.name`, or `generateName` with `*` for the part to come; empty where neither is known.
[[nodiscard]] std::string object_name(Node object);
/// `metadata.namespace`, or `default`.
[[nodiscard]] std::string object_namespace(Node object);

}  // namespace gpulint

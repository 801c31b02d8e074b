#pragma once

#include <string>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/schema.h"

namespace gpulint::rules {

/// A custom resource whose fields are known.
struct CustomResource {
  const KubernetesObject* object = nullptr;
  Node value;          ///< What the schema is of: the object, or its `spec`.
  std::string prefix;  ///< What leads to it: empty, or `spec`.
  Schema schema;
  /// Among the inputs: the very definition that the API server goes by. Else nothing, and the
  /// fields are those of several releases of a known operator.
  Node definition;
  const OperatorKeys* keys = nullptr;
};

/// The custom resources of which a CustomResourceDefinition (apiextensions.k8s.io/v1) of their
/// version is given, and those of known operators (compiler/model/kinds/operator_keys.h).
[[nodiscard]] std::vector<CustomResource> find_custom_resources(const Corpus& corpus);

/// The same path below the resource's prefix.
[[nodiscard]] std::string path_below(const std::string& prefix, const std::string& path);

}  // namespace gpulint::rules

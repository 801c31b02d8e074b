#pragma once

#include <string>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/schema.h"

namespace gpulint::rules {

/// A custom resource whose fields are known.
struct CustomResource {
  const KubernetesObject* object = nullptr;
  Node value;          ///< What the schema describes: the object, or its `spec`.
  std::string prefix;  ///< The path to it: empty, or `spec`.
  Schema schema;
  /// The CustomResourceDefinition among the inputs. If nothing, the fields are those of several
  /// releases of a known operator.
  Node definition;
  const OperatorKeys* keys = nullptr;
};

/// The custom resources of known operators (compiler/model/kinds/operator_keys.h), and those whose
/// version has a CustomResourceDefinition (apiextensions.k8s.io/v1) among the inputs.
[[nodiscard]] std::vector<CustomResource> find_custom_resources(const Corpus& corpus);

/// The same path below the resource's prefix.
[[nodiscard]] std::string path_below(const std::string& prefix, const std::string& path);

}  // namespace gpulint::rules

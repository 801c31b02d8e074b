#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/kustomize/kustomization.h"
#include "compiler/model/kustomize/resource.h"

namespace gpulint::kustomize {

/// A field that kustomize sets, and the objects that have it; an empty part matches any.
struct FieldSpec {
  std::string_view path;  ///< Keys with `/` between them; lists in the path are followed.
  bool creates = true;    ///< Whether missing mappings are created.
  std::string_view group = {};
  std::string_view version = {};
  std::string_view kind = {};
};

/// The settings of a kustomization for each of its objects: `namespace`, `namePrefix`,
/// `nameSuffix`, `labels`, `commonLabels`, `commonAnnotations`. Must not outlive its document.
class CommonFields {
 public:
  /// Labels or annotations.
  struct Given {
    Node source;  ///< The key of the kustomization that adds them.
    std::vector<std::pair<Node, Value>> pairs;
    std::vector<FieldSpec> fields;
  };

  explicit CommonFields(const Kustomization& kustomization);

  /// Sets them as kustomize does, in its order. Keys and values point to the kustomization, a name
  /// with a prefix to the name in the object. Names stay as written if the kustomization configures
  /// which fields refer to them.
  void set(Resource& resource) const;

 private:
  void set_namespace(Resource& resource) const;
  void set_name(Resource& resource) const;

  Node name_space_;
  std::string prefix_;
  std::string suffix_;
  bool keeps_names_;
  std::vector<Given> given_;
};

}  // namespace gpulint::kustomize

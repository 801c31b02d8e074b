#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/kustomize/kustomization.h"
#include "compiler/model/kustomize/tree.h"
#include "compiler/model/objects.h"

namespace gpulint::kustomize {

/// What kustomize knows an object by.
struct ResourceId {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;
  friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
[[nodiscard]] ResourceId id_of(Node object);

/// An object on its way through the kustomizations.
struct Resource {
  KubernetesObject source;      ///< As it was written.
  std::optional<Value> tree;    ///< As it is by now; none while no patch has changed it.
  std::vector<ResourceId> ids;  ///< As written, and each that it has had since: patches name any.
  std::map<std::string, std::string> added_labels;
  bool is_deleted = false;    ///< By a patch; no later one finds it.
  bool is_uncertain = false;  ///< A patch was meant for it whose effect is not known.
};

/// Whether a patch for `target` is meant for the resource; nullopt where that is not known.
[[nodiscard]] std::optional<bool> selects(const Target& target, const Resource& resource);

}  // namespace gpulint::kustomize

#pragma once

#include <vector>

#include "compiler/model/kustomize/resource.h"

namespace gpulint::kustomize {

/// Gives references to objects that kustomizations renamed the new names, as kustomize does it
/// (api/internal/konfig/builtinpluginconsts/namereference.go, RBAC and Ingress left out). A
/// reference that may mean one of several objects becomes opaque.
void update_name_references(std::vector<Resource>& resources);

}  // namespace gpulint::kustomize

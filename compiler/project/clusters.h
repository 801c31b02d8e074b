#pragma once

#include <vector>

#include "compiler/base/result.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The clusters of all scopes, each with some node or node pool that none before it has.
[[nodiscard]] std::vector<const Cluster*> clusters_of(const Project& project);

/// The one scope with nodes, else the first; an Error where several clusters are meant.
[[nodiscard]] Result<const Scope*> only_cluster(const Project& project);

/// The user's own policies that hold for a scope; of the project.
[[nodiscard]] std::vector<const Policy*> own_policies(const Project& project, const Scope& scope);

}  // namespace gpulint

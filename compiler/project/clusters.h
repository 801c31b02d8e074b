#pragma once

#include <vector>

#include "compiler/base/result.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The clusters of all scopes. A cluster whose nodes and node pools are all in earlier clusters is
/// left out.
[[nodiscard]] std::vector<const Cluster*> clusters_of(const Project& project);

/// The only scope with nodes, or else the first scope. An Error if there is no scope, or if several
/// have nodes.
[[nodiscard]] Result<const Scope*> only_cluster(const Project& project);

/// The policies of gpulint.yaml that apply to a scope. They belong to the project.
[[nodiscard]] std::vector<const Policy*> own_policies(const Project& project, const Scope& scope);

}  // namespace gpulint

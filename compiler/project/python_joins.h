#pragma once

#include <functional>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/scopes.h"

namespace gpulint {

/// The documents of files, in order.
using DocumentsOf = std::function<std::vector<const Document*>(const std::vector<FileId>&)>;

/// Moves each Python source with tasks that is alone in its scope into the scope of the nearest
/// Flyte release in the tree, by the rules for nodes (docs/explanation/scopes.md). It is not moved
/// if there is evidence of several releases, or into a scope whose workloads gpulint.yaml lists.
/// Sources that stay alone are added to Project::tasks_not_compared.
void join_python_tasks(const DocumentsOf& documents_of, Project& project,
                       std::vector<ScopePlan>& plans);

}  // namespace gpulint

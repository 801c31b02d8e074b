#pragma once

#include <functional>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/scopes.h"

namespace gpulint {

/// The documents of files, in order.
using DocumentsOf = std::function<std::vector<const Document*>(const std::vector<FileId>&)>;

/// Moves Python sources with tasks that nobody has joined with anything into the scope of the Flyte
/// release that is nearest in the tree, by the rules for nodes (docs/explanation/scopes.md): not
/// where there is evidence of several, nor into a scope of which gpulint.yaml says what runs in it.
/// Those that stay alone are noted in the project.
void join_python_tasks(const DocumentsOf& documents_of, Project& project,
                       std::vector<ScopePlan>& plans);

}  // namespace gpulint

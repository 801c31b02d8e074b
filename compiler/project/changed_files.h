#pragma once

#include <set>
#include <string>

#include "compiler/base/result.h"

namespace gpulint {

/// Canonical paths of the files that differ from a git revision, in the repository that holds
/// `folder`: changed in commits since, staged, unstaged, and new files that git does not ignore.
/// An Error where git is missing, `folder` is in no repository, or the revision is unknown.
[[nodiscard]] Result<std::set<std::string>> changed_files(const std::string& folder,
                                                          const std::string& revision);

}  // namespace gpulint

#pragma once

#include <set>
#include <string>

#include "compiler/base/result.h"

namespace gpulint {

/// The commit that is checked out in the work tree that holds the current folder, as git's own
/// files have it (gitrepository-layout, git 2.47): no git is run for it. Empty outside of every
/// work tree, where there is no commit yet, or where the files say nothing.
[[nodiscard]] std::string revision_of_current_folder();

/// Canonical paths of the files that differ from a git revision, in the repository that holds
/// `folder`: changed in commits since, staged, unstaged, and new files that git does not ignore.
/// An Error where git is missing, `folder` is in no repository, or the revision is unknown.
[[nodiscard]] Result<std::set<std::string>> changed_files(const std::string& folder,
                                                          const std::string& revision);

}  // namespace gpulint

#pragma once

#include <set>
#include <string>

#include "compiler/base/result.h"

namespace gpulint {

/// The commit that is checked out in the work tree around the current folder. It is read from the
/// files of git (gitrepository-layout, git 2.47) without running git. Empty outside of all work
/// trees, before the first commit, or if the files do not show it.
[[nodiscard]] std::string revision_of_current_folder();

/// Canonical paths of the files that differ from a git revision, in the repository around `folder`:
/// changed in later commits, staged, unstaged, and new files that git does not ignore. An Error if
/// git is missing, `folder` is not in a repository, or the revision is unknown.
[[nodiscard]] Result<std::set<std::string>> changed_files(const std::string& folder,
                                                          const std::string& revision);

}  // namespace gpulint

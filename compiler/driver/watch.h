#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpulint {

/// Names of files that decide what a check reports.
using WatchedFiles = std::vector<std::string>;

/// Calls `check` now and whenever one of the files that it returns changes, or one that `find`
/// names appears or disappears. Never returns: signals end it.
[[noreturn]] void watch(const std::function<WatchedFiles()>& check,
                        const std::function<WatchedFiles()>& find);

}  // namespace gpulint

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpulint {

/// Names of files that decide what a check reports.
using WatchedFiles = std::vector<std::string>;

/// What changed since the last call.
struct FileChanges {
  bool are_edits = false;  ///< No file appeared or disappeared. False for the first call.
  WatchedFiles edited = {};
};

/// Calls `check` now and whenever one of the files that it returns changes, or one that `find`
/// names appears or disappears. Never returns: signals end it.
[[noreturn]] void watch(const std::function<WatchedFiles(const FileChanges&)>& check,
                        const std::function<WatchedFiles()>& find);

}  // namespace gpulint

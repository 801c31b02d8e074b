#pragma once

#include <string>

#include "compiler/engine/config.h"
#include "compiler/project/file_system.h"

namespace gpulint {

/// The path relative to the folder of gpulint.yaml, as globs in that file expect it.
[[nodiscard]] std::string path_in_config(const FileSystem& files, const Config& config,
                                         const std::string& path);

}  // namespace gpulint

#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/ir/document.h"
#include "compiler/project/file_system.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Names of configuration files; of several in a folder the first is in force.
inline constexpr std::array<std::string_view, 3> config_names{"gpulint.yaml", "gpulint.yml",
                                                              ".gpulint.yaml"};
/// Whether a file with this path is a configuration file.
[[nodiscard]] bool is_config_name(std::string_view path);

/// The path of the configuration in force: --config, or the nearest configuration file from the
/// first path up to the root of its repository. Empty: none.
[[nodiscard]] std::string find_config_file(const FileSystem& files, const Request& request);

/// A parsed gpulint.yaml. Nodes of `reading` point into `documents`.
struct ConfigFile {
  ConfigReading reading;
  std::vector<std::unique_ptr<Document>> documents;
  std::vector<std::string> errors;  ///< `gpulint.yaml:3:7: …`, ready to print: exit status 2.
};

[[nodiscard]] ConfigFile read_config_file(const SourceFile& file);

}  // namespace gpulint

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/project/file_system.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The files that a request reads.
struct InputNames {
  std::vector<std::string> names;
  std::vector<std::string> errors;  ///< Why other files were not read; ready to print.
  std::optional<Error> refusal;     ///< The configuration is not readable, and `names` is empty.
};

[[nodiscard]] InputNames find_input_names(const Request& request, const FileSystem& files);

/// Standard input as an Overlay; empty if the request does not read it.
[[nodiscard]] Overlay standard_input_of(const SourceSet& sources, const Request& request);

/// The gpulint.yaml in force.
struct ConfigCheck {
  std::string path;                 ///< Empty: there is none.
  std::vector<std::string> errors;  ///< Ready to print.
};

[[nodiscard]] ConfigCheck check_config(const Request& request, const FileSystem& files);

}  // namespace gpulint

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/project/file_system.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The files that a request is about.
struct InputNames {
  std::vector<std::string> names;
  std::vector<std::string> errors;  ///< Why others could not be read; ready to print.
  std::optional<Error> refusal;     ///< The configuration could not be read: there are no names.
};

[[nodiscard]] InputNames find_input_names(const Request& request, const FileSystem& files);

/// Standard input, where it is among the sources of a request, as an Overlay.
[[nodiscard]] Overlay standard_input_of(const SourceSet& sources, const Request& request);

/// The gpulint.yaml in force.
struct ConfigCheck {
  std::string path;                 ///< Empty: there is none.
  std::vector<std::string> errors;  ///< What is wrong with it; ready to print.
};

[[nodiscard]] ConfigCheck check_config(const Request& request, const FileSystem& files);

}  // namespace gpulint

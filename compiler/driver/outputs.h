#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "compiler/base/result.h"
#include "compiler/driver/options.h"
#include "compiler/driver/project.h"

namespace gpulint {

/// One format of a run and where it goes.
struct Output {
  const Backend* backend = nullptr;
  std::string file;  ///< Empty: standard output.
};

/// What `--format` and `--output` ask for; `text` on standard output by default. An Error where a
/// format is unknown or two formats would go to the same place.
[[nodiscard]] Result<std::vector<Output>> plan_outputs(const Options& options);

/// Why a run may not write to `path`: it is one of the run's inputs. Nothing where it may.
[[nodiscard]] std::optional<Error> refuse_input(const Project& project, const std::string& path);

/// Writes every output. Returns what could not be written, ready to print.
[[nodiscard]] std::vector<std::string> write_outputs(const std::vector<Output>& outputs,
                                                     const Options& options, Run& run);

}  // namespace gpulint

#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "compiler/base/result.h"
#include "compiler/driver/options.h"

namespace gpulint {

/// One format of a run and its destination.
struct Output {
  const Backend* backend = nullptr;
  std::string file;                ///< Empty: standard output.
  bool on_standard_error = false;  ///< When standard output carries something else.
};

/// An error for an unknown format, with the nearest name and all names.
[[nodiscard]] Error unknown_format(std::string_view name, std::span<const std::string_view> names);

/// The outputs that `--format` and `--output` select; by default `text` on standard output. An
/// Error if a format is unknown or two formats have the same destination.
[[nodiscard]] Result<std::vector<Output>> plan_outputs(const Options& options);

/// Writes every output. Returns messages about those that could not be written.
[[nodiscard]] std::vector<std::string> write_outputs(const std::vector<Output>& outputs,
                                                     const Options& options, Run& run);

/// Writes a command's answer in the selected formats, `text` (default) and `json`, to standard
/// output or to files. Returns 0, or 2 after printing why a format is unknown or a file cannot be
/// written.
[[nodiscard]] int write_text(const Options& options,
                             const std::function<void(bool is_json, std::ostream&)>& emit);

}  // namespace gpulint

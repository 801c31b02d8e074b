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

/// One format of a run and where it goes.
struct Output {
  const Backend* backend = nullptr;
  std::string file;                ///< Empty: standard output.
  bool on_standard_error = false;  ///< Where standard output is taken.
};

/// Says that no format has this name, which it may have instead, and which there are.
[[nodiscard]] Error unknown_format(std::string_view name, std::span<const std::string_view> names);

/// What `--format` and `--output` ask for; `text` on standard output by default. An Error where a
/// format is unknown or two formats would go to the same place.
[[nodiscard]] Result<std::vector<Output>> plan_outputs(const Options& options);

/// Writes every output. Returns what could not be written, ready to print.
[[nodiscard]] std::vector<std::string> write_outputs(const std::vector<Output>& outputs,
                                                     const Options& options, Run& run);

/// Writes what a command prints in the formats that the options ask for, `text` (the default) and
/// `json`, to standard output or to files. Returns 0, or 2 where a format is unknown or a file
/// cannot be written, having said so.
[[nodiscard]] int write_text(const Options& options,
                             const std::function<void(bool is_json, std::ostream&)>& emit);

}  // namespace gpulint

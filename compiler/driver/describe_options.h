#pragma once

#include <string>
#include <vector>

#include "backends/completions.h"

namespace CLI {
class App;
}

namespace gpulint {

/// `a|b|c` as its words; none where there is no choice.
[[nodiscard]] std::vector<std::string> split_choices(const std::string& text);

/// What parses the command line, as completions and refusals show it: gpulint itself, unnamed, then
/// commands in the order of help, each before its own commands (`debug`, then `debug json`).
[[nodiscard]] std::vector<CommandDescription> describe_app(const CLI::App& app);

}  // namespace gpulint

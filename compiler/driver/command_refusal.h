#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/command_line.h"

namespace gpulint {

/// Why words of a command line mean nothing, with what was probably meant: an unknown command or
/// flag. `program`: as name_as_typed() has it. `command`: the last that was understood, as
/// CommandDescription names it. Nothing where the words are no more than too many.
[[nodiscard]] std::optional<std::string> explain_words(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::string& command, const std::vector<std::string>& words);

/// Why the words behind `gpulint help` name no command; nothing where they do.
[[nodiscard]] std::optional<std::string> refuse_command(
    const std::string& program, const std::vector<CommandDescription>& commands,
    const std::vector<std::string>& words);

}  // namespace gpulint

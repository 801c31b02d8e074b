#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/completions.h"

namespace gpulint {

/// The command that kubectl and Helm ask for completions: `__complete WORD…`, the last word being
/// the one that is typed. No help names it.
inline constexpr std::string_view completion_command = "__complete";

/// What may stand for the last of the words, a line each, and a last line as cobra 1.10 writes it:
/// `:4` where files are no answer, else `:0`.
[[nodiscard]] std::string complete_words(const std::vector<CommandDescription>& commands,
                                         const CompletionWords& known,
                                         const std::vector<std::string>& words);

}  // namespace gpulint

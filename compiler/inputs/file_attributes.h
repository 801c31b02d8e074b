#pragma once

#include <filesystem>
#include <optional>

#include <sys/stat.h>

#include "compiler/base/result.h"

namespace gpulint {

/// Gives a new file what the file that it will replace has beside its content: mode, owner, and
/// extended attributes, access control lists among them. Those of the system itself (`security.*`,
/// `trusted.*`) as far as it lets this user set them; all others, or an Error.
[[nodiscard]] std::optional<Error> copy_attributes(const std::filesystem::path& from,
                                                   const struct stat& old, int to);

}  // namespace gpulint

#include "compiler/driver/version_text.h"

#include <fmt/format.h>

#include "compiler/driver/build_info.h"
#include "compiler/driver/version.h"

namespace gpulint {

std::string version_text() {
  const std::string text = fmt::format("gpulint {}", version);
  return *commit == '\0' ? text : fmt::format("{} (commit {} of {})", text, commit, commit_date);
}

}  // namespace gpulint

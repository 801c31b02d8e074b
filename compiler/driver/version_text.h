#pragma once

#include <string>

namespace gpulint {

/// `gpulint 0.1.0 (commit 0123456789ab of 2026-11-23)`, as --version prints it; without the commit
/// if the build did not know it.
[[nodiscard]] std::string version_text();

}  // namespace gpulint

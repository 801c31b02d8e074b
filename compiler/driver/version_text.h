#pragma once

#include <string>

namespace gpulint {

/// `gpulint 0.1.0 (commit 0123456789ab of 2026-11-23)`, as --version prints it; without the commit
/// where the sources that were built do not tell it.
[[nodiscard]] std::string version_text();

}  // namespace gpulint

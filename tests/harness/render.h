#pragma once

#include <cstddef>
#include <string>

namespace gpulint::test {

/// Checks the text as a file, writes what every backend makes of it (the page with its cluster,
/// too) and the unified diff of all its fixes, and throws that away. Returns the number of bytes;
/// what fails aborts or throws.
std::size_t render_everything(const std::string& text);

}  // namespace gpulint::test

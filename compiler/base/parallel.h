#pragma once

#include <cstddef>
#include <functional>

namespace gpulint {

/// Calls work(0) … work(count - 1), each once, on up to `jobs` threads (0: one a processor), and
/// returns when all are done. Calls must not depend on each other; their order is open.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace gpulint

#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

namespace gpulint {

/// Calls work(0) … work(count - 1), each once, on up to `jobs` threads (0: one a processor), and
/// returns when all are done. Calls must not depend on each other; their order is open.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// `jobs` where so many small pieces of work are there that other threads take some of it before
/// all is done; 1 otherwise.
[[nodiscard]] constexpr unsigned jobs_for(std::size_t count, unsigned jobs) {
  constexpr std::size_t worth_threads = 64;
  return count < worth_threads ? 1 : jobs;
}

/// What work(0) … work(count - 1) return, in order; as parallel_for() with jobs_for() threads.
template <class Work>
[[nodiscard]] auto parallel_map(std::size_t count, unsigned jobs, const Work& work) {
  std::vector<std::invoke_result_t<Work, std::size_t>> results(count);
  parallel_for(count, jobs_for(count, jobs), [&](std::size_t i) { results[i] = work(i); });
  return results;
}

}  // namespace gpulint

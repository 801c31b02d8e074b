#include "compiler/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace gpulint {
namespace {

/// Has a new thread begin on another processor than its maker's. Behind its maker Linux may have it
/// wait for some milliseconds, as long as all the work takes.
void begin_elsewhere([[maybe_unused]] std::jthread& thread) {
#ifdef __linux__
  static const cpu_set_t allowed = [] {
    cpu_set_t set{};
    if (::sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
    return set;
  }();
  const int own = ::sched_getcpu();
  if (own < 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<unsigned>(own), &others);
  if (CPU_COUNT(&others) > 0) {
    ::pthread_setaffinity_np(thread.native_handle(), sizeof others, &others);
  }
#endif
}

}  // namespace

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  const std::size_t wanted = jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : jobs;
  const std::size_t threads = std::min(wanted, count);
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) begin_elsewhere(others.emplace_back(take));
  take();
}

}  // namespace gpulint

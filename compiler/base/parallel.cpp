#include "compiler/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace gpulint {

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  const std::size_t wanted = jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : jobs;
  const std::size_t threads = std::min(wanted, count);
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(take);
  take();
}

}  // namespace gpulint

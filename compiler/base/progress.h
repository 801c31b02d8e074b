#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <thread>

namespace gpulint {

/// A progress bar on standard error for runs that take over a second. It draws from a thread of its
/// own and is gone, without a trace, when the object is. Counting is safe from any thread.
class Progress {
 public:
  enum class Visibility : std::uint8_t { hidden, shown };

  explicit Progress(Visibility visibility);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// A new phase with this many steps begins. `name` must be a literal, e.g. "reading".
  void begin(std::string_view name, std::size_t steps);
  void advance(std::size_t steps = 1) { done_.fetch_add(steps, std::memory_order_relaxed); }

 private:
  void draw_until_stopped();

  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;  ///< Of everything below.
  std::condition_variable stopped_;
  std::string_view name_;
  std::size_t steps_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

/// For code that may run without progress: `progress` may be null.
inline void begin_phase(Progress* progress, std::string_view name, std::size_t steps) {
  if (progress != nullptr) progress->begin(name, steps);
}
inline void advance(Progress* progress) {
  if (progress != nullptr) progress->advance();
}

}  // namespace gpulint

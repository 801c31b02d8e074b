#include "compiler/base/progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace gpulint {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;
constexpr auto redraw_every = 100ms;
constexpr std::size_t bar_cells = 30;

constexpr const char* clear_line = "\r\x1b[K";

[[nodiscard]] std::string bar(std::size_t done, std::size_t steps) {
  const std::size_t shown = std::min(done, steps);
  const std::size_t filled = steps == 0 ? 0 : shown * bar_cells / steps;
  return fmt::format("[{}{}] {:3} %", std::string(filled, '#'),
                     std::string(bar_cells - filled, ' '), steps == 0 ? 0 : shown * 100 / steps);
}

}  // namespace

Progress::Progress(Visibility visibility) {
  if (visibility == Visibility::shown) thread_ = std::thread([this] { draw_until_stopped(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void Progress::begin(std::string_view name, std::size_t steps) {
  const std::lock_guard lock(mutex_);
  name_ = name;
  steps_ = steps;
  done_.store(0, std::memory_order_relaxed);
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  bool drawn = false;
  auto pause = std::chrono::milliseconds(patience);
  while (!stopped_.wait_for(lock, pause, [this] { return stop_; })) {
    pause = redraw_every;
    drawn = true;
    fmt::print(stderr, "{}{} {}", clear_line, bar(done_.load(std::memory_order_relaxed), steps_),
               name_);
    std::fflush(stderr);
  }
  if (!drawn) return;
  std::fputs(clear_line, stderr);
  std::fflush(stderr);
}

}  // namespace gpulint

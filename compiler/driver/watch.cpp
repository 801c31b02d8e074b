#include "compiler/driver/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "compiler/driver/errors.h"
#include "compiler/driver/terminal.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// When each file was written, and its size.
using Stamps = std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>>;

/// Adds those that are not there yet.
void add_stamps(const WatchedFiles& files, Stamps& stamps) {
  for (const std::string& file : files) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    if (!error) stamps.try_emplace(file, time, fs::file_size(file, error));
  }
}

[[nodiscard]] FileChanges compare(const Stamps& before, const Stamps& now) {
  FileChanges changes{before.size() == now.size()};
  for (const auto& [file, stamp] : now) {
    const auto known = before.find(file);
    if (known == before.end())
      changes.are_edits = false;
    else if (known->second != stamp)
      changes.edited.push_back(file);
  }
  return changes;
}

}  // namespace

void watch(const std::function<WatchedFiles(const FileChanges&)>& check,
           const std::function<WatchedFiles()>& find) {
  using Clock = std::chrono::steady_clock;
  FileChanges changes;
  while (true) {
    if (is_terminal_output()) std::cout << "\033[H\033[2J\033[3J";
    Stamps before;
    add_stamps(find(), before);  // files may change during the check
    const WatchedFiles read = check(changes);
    std::cout.flush();
    add_stamps(read, before);
    print_error("waiting for changes");
    // A walk of a large tree takes a while: at most a tenth of the time goes into walks.
    for (Clock::duration pause = std::chrono::milliseconds(200);;) {
      std::this_thread::sleep_for(pause);
      const Clock::time_point started = Clock::now();
      Stamps now;
      add_stamps(find(), now);
      add_stamps(read, now);
      if (now != before) {
        changes = compare(before, now);
        break;
      }
      pause = std::max<Clock::duration>(pause, (Clock::now() - started) * 9);
    }
  }
}

}  // namespace gpulint

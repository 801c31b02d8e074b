#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "compiler/base/result.h"

namespace gpulint::render {

/// An empty temporary folder, removed with its content at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  /// Empty if it could not be made.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Limits of a program. Exceeding one ends it.
struct Limits {
  std::size_t cpu_seconds = 0;
  std::size_t memory_bytes = std::size_t{4} << 30U;  ///< Address space.
  std::size_t output_bytes = std::size_t{64} << 20U;
  std::chrono::seconds wall{30};  ///< For each answer.
};

/// A program that renders. Its environment has only an empty PATH, folders in a temporary folder
/// and proxies that refuse every connection. It has a network namespace of its own where the system
/// allows that. It is in a session of its own.
class ConfinedProcess {
 public:
  /// `words`: the absolute path of the program, and its arguments. `home`: its temporary folder.
  ConfinedProcess(const std::vector<std::string>& words, const std::string& home,
                  const Limits& limits);
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;
  /// Ends it.
  ~ConfinedProcess();

  [[nodiscard]] bool is_started() const { return process_ > 0; }
  /// Writes to its standard input; false if it has ended or does not read.
  [[nodiscard]] bool write(std::string_view text);
  /// Its next line without the line break; an Error if it ends or exceeds a limit.
  [[nodiscard]] Result<std::string> read_line();
  /// Everything that it writes until its end; an Error if it exceeds a limit. `status`: its exit
  /// status, 128 + signal if a signal ended it.
  [[nodiscard]] Result<std::string> read_all(int& status);
  /// The end of what it wrote to standard error, on one line.
  [[nodiscard]] std::string last_words() const;

 private:
  enum class Read : std::uint8_t { more, end, late, too_much };
  [[nodiscard]] Read read_more(std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] Error explain(Read why);
  int end();

  Limits limits_;
  std::string errors_;  // the file with its standard error
  pid_t process_ = -1;
  int channel_ = -1;  // both ways
  std::string read_;
};

}  // namespace gpulint::render

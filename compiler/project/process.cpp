#include "compiler/project/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ;

namespace gpulint {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  [[nodiscard]] bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
};

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

/// Reads available bytes; false if the other side has closed the pipe.
[[nodiscard]] bool drain(int descriptor, std::string& into) {
  std::array<char, 1U << 16U> buffer{};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both pipes to their ends, as data arrives.
void collect(Pipe& out, Pipe& err, ProcessOutput& output) {
  std::array<pollfd, 2> watched{pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0}};
  std::array<std::string*, 2> texts{&output.out, &output.err};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd >= 0 && watched[i].revents != 0 && !drain(watched[i].fd, *texts[i])) {
        watched[i].fd = -1;
      }
    }
  }
}

[[nodiscard]] int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The words as system calls need them. `words` must outlive the result.
[[nodiscard]] std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

[[nodiscard]] std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view present = *at;
    const std::string_view name = present.substr(0, present.find('=') + 1);
    const bool is_replaced = std::ranges::any_of(
        variables, [&](const std::string& each) { return each.starts_with(name); });
    if (!is_replaced) all.emplace_back(present);
  }
  return all;
}

[[nodiscard]] int spawn(const std::vector<std::string>& words,
                        const std::vector<std::string>& variables, const Pipe& out, const Pipe& err,
                        pid_t& process) {
  const std::vector<char*> arguments = pointers(words);
  const std::vector<std::string> environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  const int error = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(),
                                   pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& words,
                                  const std::vector<std::string>& variables) {
  Pipe out;
  Pipe err;
  pid_t process = 0;
  int error = 0;
  if (!out.open() || !err.open()) error = errno;
  if (error == 0) error = spawn(words, variables, out, err, process);
  close_end(out.write_end);
  close_end(err.write_end);
  ProcessOutput output;
  if (error == 0) {
    collect(out, err, output);
    output.status = wait_for(process);
  }
  close_end(out.read_end);
  close_end(err.read_end);
  if (error == 0) return output;
  return Error{fmt::format("cannot run {}: {}", words[0], std::generic_category().message(error))};
}

}  // namespace gpulint

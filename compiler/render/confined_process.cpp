#include "compiler/render/confined_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "compiler/base/text.h"

namespace gpulint::render {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Addresses where nothing listens: every request through them fails at once.
constexpr std::string_view no_proxy_here = "http://127.0.0.1:9";

/// The whole environment of a program.
[[nodiscard]] std::vector<std::string> make_environment(const std::string& home) {
  std::vector<std::string> variables;
  const auto add = [&](std::string_view name, std::string_view value) {
    variables.push_back(fmt::format("{}={}", name, value));
  };
  add("PATH", home + "/bin");
  add("HOME", home);
  add("TMPDIR", home);
  for (const char* name : {"HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "HELM_PLUGINS",
                           "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
    add(name, home + "/bin");
  }
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) {
    add(name, no_proxy_here);
  }
  return variables;
}

[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

void set_limit(decltype(RLIMIT_CPU) what, std::size_t value) {
  if (value == 0) return;
  const rlimit limit{value, value};
  ::setrlimit(what, &limit);
}

/// In the new process: only calls that are safe after a fork of a program with threads.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& environment,
                         int channel, int errors, const char* folder, const Limits& limits) {
  ::setsid();
  ::dup2(channel, STDIN_FILENO);
  ::dup2(channel, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  if (::chdir(folder) != 0) ::_exit(127);
#ifdef __linux__
  ::unshare(CLONE_NEWUSER | CLONE_NEWNET);  // where the system allows it
#endif
  set_limit(RLIMIT_AS, limits.memory_bytes);
  set_limit(RLIMIT_CPU, limits.cpu_seconds);
  set_limit(RLIMIT_FSIZE, limits.output_bytes);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::execve(arguments[0], arguments.data(), environment.data());
  ::_exit(127);
}

[[nodiscard]] int status_of(int waited) {
  return WIFSIGNALED(waited) ? 128 + WTERMSIG(waited) : WEXITSTATUS(waited);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "gpulint-render-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) return;
  fs::create_directory(fs::path(pattern) / "bin", error);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

ConfinedProcess::ConfinedProcess(const std::vector<std::string>& words, const std::string& home,
                                 const Limits& limits)
    : limits_(limits), errors_(home + "/errors") {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  const int errors = ::open(errors_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  const std::vector<std::string> variables = make_environment(home);
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> environment = pointers_to(variables);
  process_ = errors < 0 ? -1 : ::fork();
  if (process_ == 0) become(arguments, environment, ends[1], errors, home.c_str(), limits);
  ::close(ends[1]);
  if (errors >= 0) ::close(errors);
  channel_ = ends[0];
}

ConfinedProcess::~ConfinedProcess() { end(); }

/// Ends the program and all that it started; returns its exit status.
int ConfinedProcess::end() {
  if (channel_ >= 0) ::close(channel_);
  channel_ = -1;
  if (process_ <= 0) return 0;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  int waited = 0;
  while (::waitpid(process_, &waited, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status_of(waited);
}

bool ConfinedProcess::write(std::string_view text) {
  const Clock::time_point deadline = Clock::now() + limits_.wall;
  while (!text.empty() && is_started()) {
    const ssize_t count = ::send(channel_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (count >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN || Clock::now() > deadline) return false;
    pollfd writable{channel_, POLLOUT, 0};
    ::poll(&writable, 1, 1000);
  }
  return text.empty();
}

ConfinedProcess::Read ConfinedProcess::read_more(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  if (left.count() <= 0) return Read::late;
  pollfd readable{channel_, POLLIN, 0};
  const int ready = ::poll(&readable, 1, static_cast<int>(left.count()));
  if (ready < 0 && errno != EINTR) return Read::end;
  if (ready <= 0) return Read::more;  // the next call sees the deadline
  std::array<char, 1U << 16U> buffer{};
  const ssize_t count = ::read(channel_, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return Read::more;
  if (count <= 0) return Read::end;
  read_.append(buffer.data(), static_cast<std::size_t>(count));
  // JSON needs at most six bytes for one.
  return read_.size() > 6 * limits_.output_bytes ? Read::too_much : Read::more;
}

Error ConfinedProcess::explain(Read why) {
  const std::string words = last_words();
  const int status = end();
  if (why == Read::late) return Error{fmt::format("no answer in {} s", limits_.wall.count())};
  if (why == Read::too_much || status == 128 + SIGXFSZ) {
    return Error{fmt::format("more than {} MiB of output", limits_.output_bytes >> 20U)};
  }
  if (status == 128 + SIGXCPU || (status == 128 + SIGKILL && words.empty())) {
    return Error{"the program was ended: it used too much memory or processor time"};
  }
  return Error{words.empty() ? fmt::format("the program ended with status {}", status) : words};
}

Result<std::string> ConfinedProcess::read_line() {
  const Clock::time_point deadline = Clock::now() + limits_.wall;
  for (std::size_t seen = 0;;) {
    const std::size_t at = read_.find('\n', seen);
    if (at != std::string::npos) {
      std::string line = read_.substr(0, at);
      read_.erase(0, at + 1);
      return line;
    }
    seen = read_.size();
    const Read result = read_more(deadline);
    if (result != Read::more) return explain(result);
  }
}

Result<std::string> ConfinedProcess::read_all(int& status) {
  ::shutdown(channel_, SHUT_WR);
  const Clock::time_point deadline = Clock::now() + limits_.wall;
  Read result = Read::more;
  while (result == Read::more) result = read_more(deadline);
  if (result != Read::end) return explain(result);
  int waited = 0;
  while (::waitpid(process_, &waited, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  status = status_of(waited);
  return std::move(read_);
}

std::string ConfinedProcess::last_words() const {
  std::ifstream file(errors_, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string_view text = trim(all);
  if (const std::size_t at = text.rfind("Error: "); at != std::string_view::npos) {
    text.remove_prefix(at + 7);
  } else if (const std::size_t line = text.find('\n'); line != std::string_view::npos) {
    text = text.substr(0, line);  // a Go program says what happened before it shows its stacks
  }
  std::string words(text.substr(0, 2000));
  std::ranges::replace(words, '\n', ' ');
  return words;
}

}  // namespace gpulint::render

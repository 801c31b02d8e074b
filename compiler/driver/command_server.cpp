#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "compiler/driver/commands.h"
#include "compiler/driver/version.h"
#include "compiler/project/file_system.h"
#include "compiler/server/framing.h"
#include "compiler/server/server.h"

namespace gpulint {
namespace {

/// False if standard output is closed.
[[nodiscard]] bool write_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

[[nodiscard]] bool send(const server::Messages& messages) {
  std::string bytes;
  for (const std::string& message : messages) bytes += server::frame(message);
  return write_bytes(bytes);
}

/// Whether reading standard input returns within a time.
[[nodiscard]] bool has_input(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

/// What standard input has now; waits if that is nothing. Empty at its end.
[[nodiscard]] std::string_view read_some() {
  static std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }
}

}  // namespace

/// Standard output carries the protocol only. All waiting messages are received before files are
/// checked, so that an editor that types fast gets one check.
int run_server() {
  constexpr int lost_client = 1;
  constexpr int pause = 200;      // milliseconds after the last message
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is seen by write()
  server::Server server(disk(), {version, homepage});
  server::FrameReader frames;
  while (true) {
    const std::string_view bytes = read_some();
    if (bytes.empty()) {  // a script may still read the answers to its last requests
      return send(server.settle()) ? server.exit_status() : lost_client;
    }
    frames.add(bytes);
    while (const std::optional<std::string> body = frames.next()) {
      if (!send(server.receive(*body))) return lost_client;
      if (server.has_exited()) return server.exit_status();
    }
    if (has_input(0)) continue;
    if (!send(server.settle())) return lost_client;
    for (int wait = pause; server.can_use_pause() && !has_input(wait); wait = 0) {
      if (!send(server.use_pause())) return lost_client;
    }
  }
}

}  // namespace gpulint

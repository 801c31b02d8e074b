#pragma once

// server: the Language Server Protocol over the pipeline. A function of messages and a file system:
// it reads no pipe, writes no file and knows no command line. JSON stays inside.

#include <memory>
#include <string_view>

#include "compiler/project/file_system.h"
#include "compiler/server/about.h"

namespace gpulint::server {

class Session;

class Server {
 public:
  /// `files` must outlive it.
  Server(const FileSystem& files, About about);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Takes one message and returns the answers that need no findings. Nothing that a client sends
  /// is an error here.
  [[nodiscard]] Messages receive(std::string_view body);
  /// Checks what changed; returns new diagnostics, and the answers to all open requests. To be
  /// called when no further message is waiting.
  [[nodiscard]] Messages settle();
  /// While nothing else is to do: verifies some fixes; returns new diagnostics. To be called as
  /// long as can_use_pause().
  [[nodiscard]] Messages use_pause();
  [[nodiscard]] bool can_use_pause() const;
  /// Whether the client said `exit`.
  [[nodiscard]] bool has_exited() const;
  /// For the end of the program: 0 after `shutdown`, else 1.
  [[nodiscard]] int exit_status() const;

 private:
  std::unique_ptr<Session> session_;
};

}  // namespace gpulint::server

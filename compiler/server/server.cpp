#include "compiler/server/server.h"

#include <utility>

#include "compiler/server/session.h"

namespace gpulint::server {

Server::Server(const FileSystem& files, About about)
    : session_(std::make_unique<Session>(files, std::move(about))) {}

Server::~Server() = default;

Messages Server::receive(std::string_view body) { return session_->receive(body); }
Messages Server::settle() { return session_->settle(); }
Messages Server::use_pause() { return session_->use_pause(); }
bool Server::can_use_pause() const { return session_->can_use_pause(); }
bool Server::has_exited() const { return session_->has_exited(); }
int Server::exit_status() const { return session_->exit_status(); }

}  // namespace gpulint::server

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/server/about.h"
#include "compiler/server/client.h"
#include "compiler/server/open_texts.h"
#include "compiler/server/ranges.h"
#include "compiler/server/workspace.h"

namespace gpulint::server {

/// The state of a connection. See Server for the public functions.
class Session {
 public:
  Session(const FileSystem& files, About about) : about_(std::move(about)), workspace_(files) {}

  [[nodiscard]] Messages receive(std::string_view body);
  [[nodiscard]] Messages settle();
  [[nodiscard]] Messages use_pause();
  [[nodiscard]] bool can_use_pause() const { return has_unverified_; }
  [[nodiscard]] bool has_exited() const { return has_exited_; }
  [[nodiscard]] int exit_status() const { return is_shut_down_ ? 0 : 1; }

 private:
  /// An answer without its id; an error has `code`.
  using Answer = Json (Session::*)(const Json& params);
  using Act = void (Session::*)(const Json& params);

  struct RequestHandler {
    std::string_view method;
    Answer answer;
    bool survives_edits = false;  ///< The answer is right for a newer text.
  };
  struct NotificationHandler {
    std::string_view method;
    Act act;
  };
  /// A request that waits for settle().
  struct Waiting {
    Json id;
    const RequestHandler* handler = nullptr;
    Json params;
    std::optional<std::int64_t> version;  ///< Of the document that it is about, if it is open.
  };

  static const RequestHandler request_handlers[];
  static const NotificationHandler notification_handlers[];

  void receive_request(const Json& id, const std::string& method, const Json& params);
  [[nodiscard]] Json initialize(const Json& params);
  [[nodiscard]] Json pull_diagnostics(const Json& params);
  [[nodiscard]] Json list_actions(const Json& params);
  [[nodiscard]] Json resolve_action(const Json& params);
  [[nodiscard]] Json hover(const Json& params);
  [[nodiscard]] Json find_definitions(const Json& params);
  [[nodiscard]] Json list_symbols(const Json& params);
  [[nodiscard]] Json list_lenses(const Json& params);
  [[nodiscard]] Json list_links(const Json& params);
  [[nodiscard]] Json complete(const Json& params);
  [[nodiscard]] Json list_hints(const Json& params);
  [[nodiscard]] Json show_pods(const Json& params);

  void register_watchers(const Json& params);
  void exit(const Json& params);
  void cancel(const Json& params);
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void change_folders(const Json& params);
  void save(const Json& params);
  void follow_disk(const Json& params);

  /// The open document that `params` names, as it was checked; nullopt if it is not open or was not
  /// read.
  struct Opened {
    const OpenText* text;
    RootFile file;
    Ranges ranges;

    [[nodiscard]] CheckedRoot& root() const { return *file.root; }
    [[nodiscard]] FileId id() const { return file.source->id(); }
    /// Of the position in the parameters of a request.
    [[nodiscard]] std::uint32_t offset(const Json& params) {
      return ranges.offset(id(), place_of(get(params, "position")));
    }
  };
  [[nodiscard]] std::optional<Opened> find_opened(const Json& params);
  /// The same, after the fixes of its findings are verified.
  [[nodiscard]] std::optional<Opened> find_verified(const Json& params);
  void note_change(const std::string& uri);
  [[nodiscard]] std::optional<std::int64_t> version_of(const Json& params) const;
  void send(std::string message) { outgoing_.push_back(std::move(message)); }
  [[nodiscard]] Messages take_outgoing() { return std::exchange(outgoing_, {}); }
  void publish();
  void log_errors();
  void refresh_pods();
  [[nodiscard]] bool is_pulled(const std::string& uri) const;

  About about_;
  Workspace workspace_;
  OpenTexts texts_;
  std::optional<Client> client_;  // nullopt before `initialize`
  bool is_shut_down_ = false;
  bool has_exited_ = false;
  bool has_unverified_ = false;  // fixes
  std::vector<Waiting> waiting_;
  Messages outgoing_;
  std::map<std::string, Json> lists_;              // of all checked files with diagnostics, by URI
  std::map<std::string, std::string> published_;   // the last list sent, by URI
  std::set<std::string> errors_;                   // of the last check
  std::map<std::string, std::string> shown_pods_;  // the last text sent, by URI
  std::set<std::string> edited_;                   // documents that changed since the last settle()
};

}  // namespace gpulint::server

#include "compiler/server/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/server/actions.h"
#include "compiler/server/completion.h"
#include "compiler/server/diagnostics.h"
#include "compiler/server/features.h"
#include "compiler/server/task_pods.h"

namespace gpulint::server {
namespace {

/// Whether an id of a request is one.
[[nodiscard]] bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

[[nodiscard]] Json capabilities_of(const Client& client) {
  Json can = {{"positionEncoding", client.units == Units::utf8 ? "utf-8" : "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
              {"codeActionProvider",
               {{"codeActionKinds", {"quickfix", fix_all_kind}}, {"resolveProvider", true}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"documentSymbolProvider", true},
              {"documentLinkProvider", Json::object()},
              {"completionProvider", {{"triggerCharacters", {" ", "/", ".", "["}}}},
              {"codeLensProvider", Json::object()},
              {"inlayHintProvider", client.wants_hints},
              {"workspace",
               {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}},
                {"textDocumentContent", {{"schemes", {"gpulint-pod"}}}}}}};
  if (client.pulls_diagnostics) {
    can["diagnosticProvider"] = {{"identifier", "gpulint"},
                                 {"interFileDependencies", true},
                                 {"workspaceDiagnostics", false}};
  }
  return can;
}

[[nodiscard]] std::string uri_of(const Json& params) {
  return text_of(get(params, "textDocument", "uri"));
}

}  // namespace

const Session::RequestHandler Session::request_handlers[] = {
    {"textDocument/diagnostic", &Session::pull_diagnostics, true},
    {"textDocument/codeAction", &Session::list_actions},
    {"codeAction/resolve", &Session::resolve_action},
    {"textDocument/hover", &Session::hover},
    {"textDocument/definition", &Session::find_definitions},
    {"textDocument/documentSymbol", &Session::list_symbols},
    {"textDocument/codeLens", &Session::list_lenses},
    {"textDocument/documentLink", &Session::list_links},
    {"textDocument/completion", &Session::complete},
    {"textDocument/inlayHint", &Session::list_hints},
    {"workspace/textDocumentContent", &Session::show_pods, true},
};

const Session::NotificationHandler Session::notification_handlers[] = {
    {"initialized", &Session::register_watchers},
    {"exit", &Session::exit},
    {"$/cancelRequest", &Session::cancel},
    {"textDocument/didOpen", &Session::open},
    {"textDocument/didChange", &Session::change},
    {"textDocument/didSave", &Session::save},
    {"textDocument/didClose", &Session::close},
    {"workspace/didChangeWorkspaceFolders", &Session::change_folders},
    {"workspace/didChangeWatchedFiles", &Session::follow_disk},
};

Messages Session::receive(std::string_view body) {
  const Json message = Json::parse(body, nullptr, false);
  if (message.is_discarded()) {
    return {answer_error(nullptr, ErrorCode::parse_error, "the message is not JSON")};
  }
  const std::string method = text_of(get(message, "method"));
  const bool is_request = message.is_object() && message.contains("id");
  if (method.empty()) {
    const bool is_answer = is_request && (message.contains("result") || message.contains("error"));
    if (is_answer) return {};
    return {answer_error(nullptr, ErrorCode::invalid_request, "the message has no method")};
  }
  const Json& params = get(message, "params");
  if (is_request) {
    receive_request(get(message, "id"), method, params);
  } else if (client_ || method == "exit") {
    const auto* const handler =
        std::ranges::find(notification_handlers, method, &NotificationHandler::method);
    if (handler != std::end(notification_handlers)) (this->*handler->act)(params);
  }
  return take_outgoing();
}

void Session::receive_request(const Json& id, const std::string& method, const Json& params) {
  const auto refuse = [&](ErrorCode code, std::string_view why) {
    send(answer_error(is_id(id) ? id : Json(), code, why));
  };
  if (!is_id(id)) return refuse(ErrorCode::invalid_request, "the id must be a string or a number");
  if (is_shut_down_) return refuse(ErrorCode::invalid_request, "the server is shut down");
  if (method == "initialize") {
    if (client_) return refuse(ErrorCode::invalid_request, "the server is already initialized");
    return send(answer(id, initialize(params)));
  }
  if (!client_) return refuse(ErrorCode::not_initialized, "the server is not initialized");
  if (method == "shutdown") {
    is_shut_down_ = true;
    return send(answer(id, nullptr));
  }
  const auto* const handler = std::ranges::find(request_handlers, method, &RequestHandler::method);
  if (handler == std::end(request_handlers)) {
    return refuse(ErrorCode::method_not_found, "unknown method " + method);
  }
  waiting_.push_back({id, handler, params, version_of(params)});
}

Messages Session::settle() {
  if (!client_ || has_exited_) return take_outgoing();
  if (is_shut_down_) {
    for (const Waiting& request : std::exchange(waiting_, {})) {
      send(answer_error(request.id, ErrorCode::request_cancelled, "the server is shut down"));
    }
    return take_outgoing();
  }
  if (workspace_.check(texts_)) {
    has_unverified_ = true;
    publish();
    log_errors();
    refresh_pods();
  }
  edited_.clear();
  for (const Waiting& request : std::exchange(waiting_, {})) {
    if (!request.handler->survives_edits && request.version != version_of(request.params)) {
      send(answer_error(request.id, ErrorCode::content_modified, "the document was changed"));
    } else {
      send(answer(request.id, (this->*request.handler->answer)(request.params)));
    }
  }
  return take_outgoing();
}

Messages Session::use_pause() {
  has_unverified_ = workspace_.verify_some();
  if (!has_unverified_) publish();
  return take_outgoing();
}

Json Session::initialize(const Json& params) {
  client_.emplace(params);
  const Json& folders = get(params, "workspaceFolders");
  const std::string root = path_of_uri(text_of(get(params, "rootUri")));
  if (folders.is_array() && !folders.empty()) {
    change_folders({{"event", {{"added", folders}}}});
  } else if (!root.empty()) {
    workspace_.add_folder(root);
  } else if (const std::string path = text_of(get(params, "rootPath")); path.starts_with('/')) {
    workspace_.add_folder(path_of_uri(uri_of_path(path)));
  }
  return {{"capabilities", capabilities_of(*client_)},
          {"serverInfo", {{"name", "gpulint"}, {"version", about_.version}}}};
}

void Session::exit(const Json& /*params*/) { has_exited_ = true; }

void Session::register_watchers(const Json& /*params*/) {
  if (!client_->registers_watchers) return;
  Json watchers = Json::array();
  for (const char* const pattern :
       {"**/*.{yaml,yml,json,py}", "**/Kustomization", "**/.gitignore"}) {
    watchers.push_back({{"globPattern", pattern}});
  }
  send(
      request("watch", "client/registerCapability",
              {{"registrations", Json::array({{{"id", "watch"},
                                               {"method", "workspace/didChangeWatchedFiles"},
                                               {"registerOptions", {{"watchers", watchers}}}}})}}));
}

void Session::cancel(const Json& params) {
  const Json& id = get(params, "id");
  const auto cancelled = std::ranges::find(waiting_, id, &Waiting::id);
  if (cancelled == waiting_.end()) return;  // answered already
  waiting_.erase(cancelled);
  send(answer_error(id, ErrorCode::request_cancelled, "the request was cancelled"));
}

void Session::open(const Json& params) {
  const Json& document = get(params, "textDocument");
  const std::string uri = uri_of(params);
  if (uri.empty() || is_pod_uri(uri)) return;
  texts_.open({uri, path_of_uri(uri), text_of(get(document, "languageId")),
               number_of(get(document, "version")), text_of(get(document, "text"))});
  note_change(uri);
}

void Session::change(const Json& params) {
  std::vector<TextChange> changes;
  const Json& list = get(params, "contentChanges");
  for (const Json& each : list.is_array() ? list : Json::array()) {
    const Json& range = get(each, "range");
    TextChange change{std::nullopt, place_of(get(range, "end")), text_of(get(each, "text"))};
    if (range.is_object()) change.begin = place_of(get(range, "start"));
    changes.push_back(std::move(change));
  }
  const std::string uri = uri_of(params);
  const std::int64_t version = number_of(get(params, "textDocument", "version"));
  if (!texts_.change(uri, version, changes, client_->units)) return;
  note_change(uri);
}

void Session::close(const Json& params) {
  texts_.close(uri_of(params));
  workspace_.change(uri_of(params));
}

void Session::note_change(const std::string& uri) {
  edited_.insert(uri);
  workspace_.change(uri);
}

/// Where clients do not watch files, other files may have changed, too.
void Session::save(const Json& /*params*/) {
  if (!client_->registers_watchers) workspace_.invalidate();
}

void Session::follow_disk(const Json& params) {
  constexpr int changed = 2;
  const Json& changes = get(params, "changes");
  for (const Json& each : changes.is_array() ? changes : Json::array()) {
    const std::string uri = text_of(get(each, "uri"));
    const bool is_open = texts_.find(uri) != nullptr;
    if (number_of(get(each, "type")) != changed) {
      workspace_.invalidate();
    } else if (!is_open) {
      workspace_.change(uri);
    }
  }
}

void Session::change_folders(const Json& params) {
  for (const char* const list : {"removed", "added"}) {
    const Json& folders = get(params, "event", list);
    for (const Json& folder : folders.is_array() ? folders : Json::array()) {
      const std::string path = path_of_uri(text_of(get(folder, "uri")));
      if (path.empty()) continue;
      if (std::string_view(list) == "added") {
        workspace_.add_folder(path);
      } else {
        workspace_.remove_folder(path);
      }
    }
  }
  workspace_.invalidate();
}

std::optional<std::int64_t> Session::version_of(const Json& params) const {
  const OpenText* const text = texts_.find(uri_of(params));
  return text == nullptr ? std::nullopt : std::optional(text->version);
}

/// Diagnostics of open documents are not sent to a client that asks for them: it would show both.
bool Session::is_pulled(const std::string& uri) const {
  return client_->pulls_diagnostics && texts_.find(uri) != nullptr;
}

void Session::publish() {
  std::map<std::string, Json> lists;
  for (auto& [name, root] : workspace_.roots()) {
    Ranges ranges(root, texts_, client_->units);
    for (auto& [uri, list] : list_diagnostics(name, workspace_, root, ranges, about_.homepage)) {
      Json& all = lists[uri];
      for (Json& each : list) {
        // gpulint.yaml of several folders says the same in each
        if (std::ranges::find(all, each) == all.end()) all.push_back(std::move(each));
      }
    }
  }
  bool refreshes = false;
  std::set<std::string> uris = edited_;
  for (const auto* known : {&lists, &lists_}) {
    for (const auto& [uri, list] : *known) uris.insert(uri);
  }
  for (const auto& [uri, text] : published_) uris.insert(uri);
  for (const std::string& uri : uris) {
    const auto found = lists.find(uri);
    const Json list = found == lists.end() ? Json::array() : found->second;
    const auto before = lists_.find(uri);
    const bool is_same = before == lists_.end() ? list.empty() : before->second == list;
    refreshes = refreshes || (is_pulled(uri) && !is_same && !edited_.contains(uri));
    const Json shown = is_pulled(uri) ? Json::array() : list;
    const auto sent = published_.find(uri);
    const std::string text = dump(shown);
    if (sent == published_.end() ? shown.empty() && is_pulled(uri) : sent->second == text) continue;
    Json params = {{"uri", uri}, {"diagnostics", shown}};
    const OpenText* const open = texts_.find(uri);
    if (open != nullptr) params["version"] = open->version;
    send(notification("textDocument/publishDiagnostics", std::move(params)));
    published_.insert_or_assign(uri, text);
  }
  lists_ = std::move(lists);
  if (refreshes && client_->refreshes_diagnostics) {
    send(request("refresh", "workspace/diagnostic/refresh", nullptr));
  }
}

/// Errors of the last check that the check before did not have, such as unreadable files.
void Session::log_errors() {
  constexpr int warning = 2;
  std::set<std::string> errors;
  for (const auto& [name, root] : workspace_.roots()) {
    errors.insert(root.project().errors.begin(), root.project().errors.end());
  }
  for (const std::string& error : errors) {
    if (errors_.contains(error)) continue;
    send(notification("window/logMessage", {{"type", warning}, {"message", error}}));
  }
  errors_ = std::move(errors);
}

Json Session::pull_diagnostics(const Json& params) {
  const auto list = lists_.find(uri_of(params));
  return {{"kind", "full"}, {"items", list == lists_.end() ? Json::array() : list->second}};
}

std::optional<Session::Opened> Session::find_opened(const Json& params) {
  const OpenText* const text = texts_.find(uri_of(params));
  if (text == nullptr) return std::nullopt;
  const RootFile file = workspace_.find(*text);
  if (file.root == nullptr) return std::nullopt;
  return Opened{text, file, Ranges(*file.root, texts_, client_->units)};
}

std::optional<Session::Opened> Session::find_verified(const Json& params) {
  const auto opened = find_opened(params);
  if (opened && Workspace::verify(opened->root(), opened->id())) publish();
  return find_opened(params);
}

Json Session::list_actions(const Json& params) {
  auto opened = find_verified(params);
  if (!opened) return Json::array();
  return code_actions({opened->root(), opened->id(), opened->ranges, *client_, about_.homepage},
                      params);
}

Json Session::resolve_action(const Json& params) {
  auto opened = find_opened({{"textDocument", get(params, "data")}});
  Json action = params;
  if (!opened || text_of(get(params, "kind")) != fix_all_kind) return action;
  action["edit"] =
      fix_all_edit({opened->root(), opened->id(), opened->ranges, *client_, about_.homepage});
  return action;
}

Json Session::hover(const Json& params) {
  auto opened = find_opened(params);
  if (!opened) return nullptr;
  return hover_at(opened->root(), opened->id(), opened->offset(params), opened->ranges,
                  about_.homepage);
}

Json Session::find_definitions(const Json& params) {
  const std::string uri = uri_of(params);
  if (is_pod_uri(uri)) {
    return pod_definitions(workspace_, texts_, client_->units, uri,
                           place_of(get(params, "position")));
  }
  auto opened = find_opened(params);
  if (!opened) return Json::array();
  return definitions_at(opened->root(), opened->id(), opened->offset(params), opened->ranges);
}

Json Session::list_symbols(const Json& params) {
  auto opened = find_opened(params);
  if (!opened) return Json::array();
  return symbols_of(opened->root(), opened->id(), opened->ranges, client_->has_symbol_tree);
}

Json Session::list_links(const Json& params) {
  auto opened = find_opened(params);
  if (!opened) return Json::array();
  return links_of(opened->root(), opened->id(), opened->ranges);
}

Json Session::complete(const Json& params) {
  auto opened = find_opened(params);
  if (!opened) return Json::array();
  return completions_at(opened->root(), opened->id(), opened->offset(params), opened->ranges);
}

Json Session::list_lenses(const Json& params) {
  auto opened = find_opened(params);
  if (!opened) return Json::array();
  std::string folder = opened->root().files->current_folder();
  // a document outside of all folders is a root of its own
  if (!client_->shows_pods || !workspace_.roots().contains(folder)) folder.clear();
  return lenses_of(opened->root(), opened->id(), opened->ranges, folder);
}

Json Session::list_hints(const Json& params) {
  auto opened = find_opened(params);
  if (!opened || !client_->wants_hints) return Json::array();
  return hints_of(opened->root(), opened->id(), opened->ranges);
}

Json Session::show_pods(const Json& params) {
  const std::string uri = text_of(get(params, "uri"));
  const std::string text = pod_text(workspace_, uri);
  if (is_pod_uri(uri)) shown_pods_.insert_or_assign(uri, text);
  return {{"text", text}};
}

/// Asks the client to read the texts of show_pods() again if they are others now.
void Session::refresh_pods() {
  if (!client_->has_text_content) return;
  for (auto& [uri, text] : shown_pods_) {
    std::string now = pod_text(workspace_, uri);
    if (now == text) continue;
    text = std::move(now);
    send(request("pods", "workspace/textDocumentContent/refresh", {{"uri", uri}}));
  }
}

}  // namespace gpulint::server

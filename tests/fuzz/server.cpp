// A client that sends anything: frames that arrive in pieces have the same bodies, and the findings
// after edits are those of the text that the edits make. The documents after the first are a file
// of their own, which is not edited.
#include "compiler/server/server.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "compiler/base/check.h"
#include "compiler/server/framing.h"
#include "compiler/server/position.h"
#include "tests/fuzz/target.h"

namespace {

using namespace gpulint;
using Json = nlohmann::json;

constexpr const char* uri = "file:///w/input.yaml";
constexpr std::string_view marker = "\n---\n";

/// Messages are UTF-8.
[[nodiscard]] std::string valid(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

[[nodiscard]] std::vector<std::string> bodies(std::string_view bytes, std::size_t piece) {
  server::FrameReader reader;
  std::vector<std::string> found;
  while (!bytes.empty()) {
    reader.add(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (auto body = reader.next()) found.push_back(*std::move(body));
  }
  return found;
}

class Editor {
 public:
  Editor(server::Units units, const std::string& other)
      : files_({{"/w/other.yaml", other}}), server_(files_, {"1.0", ""}) {
    const Json encodings = Json::array({units == server::Units::utf8 ? "utf-8" : "utf-16"});
    take(server_.receive(
        Json{{"id", 1},
             {"method", "initialize"},
             {"params",
              {{"rootUri", "file:///w"},
               {"initializationOptions", {{"inlayHints", true}, {"commands", {"gpulint.showPod"}}}},
               {"capabilities", {{"general", {{"positionEncodings", encodings}}}}}}}}
            .dump()));
    tell("initialized", Json::object());
  }
  void tell(const std::string& method, const Json& params) {
    take(server_.receive(Json{{"method", method}, {"params", params}}.dump()));
  }
  /// Everything that an editor asks about a place.
  void ask(const Json& place) {
    for (const char* const method :
         {"hover", "definition", "completion", "codeLens", "inlayHint", "documentLink"}) {
      take(server_.receive(Json{{"id", method},
                                {"method", std::string("textDocument/") + method},
                                {"params", {{"textDocument", {{"uri", uri}}}, {"position", place}}}}
                               .dump()));
    }
    take(server_.receive(Json{{"id", "pod"},
                              {"method", "workspace/textDocumentContent"},
                              {"params", {{"uri", "gpulint-pod:/w/train.yaml"}}}}
                             .dump()));
    settle();
  }
  void open(const std::string& text) {
    tell(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", uri}, {"languageId", "yaml"}, {"version", 1}, {"text", text}}}});
  }
  void settle() {
    take(server_.settle());
    while (server_.can_use_pause()) take(server_.use_pause());
  }
  /// By file; no entry is as good as an empty list.
  [[nodiscard]] Json findings() const {
    Json found = findings_;
    for (auto at = found.begin(); at != found.end();) {
      at = at->empty() ? found.erase(at) : std::next(at);
    }
    return found;
  }

 private:
  void take(const server::Messages& messages) {
    for (const std::string& message : messages) {
      const Json read = Json::parse(message);
      if (read.value("method", "") != "textDocument/publishDiagnostics") continue;
      findings_[read["params"]["uri"]] = read["params"]["diagnostics"];
    }
  }

  MemoryFiles files_;
  server::Server server_;
  Json findings_ = Json::object();
};

/// Applies some edits to a text, and tells the editor.
[[nodiscard]] std::string edit(std::string text, server::Units units, Editor& editor) {
  std::minstd_rand random(static_cast<unsigned>(text.size()) + 1);
  const std::string pieces = text;
  for (int version = 2; version < 6; ++version) {
    const server::Lines lines(text, units);
    const auto somewhere = [&] {
      return lines.place(static_cast<std::uint32_t>(random() % (text.size() + 2)));
    };
    auto [begin, end] = std::minmax({somewhere(), somewhere()});
    if (version % 2 == 0) end = begin;
    const std::string added = valid(pieces.substr(random() % (pieces.size() + 1), random() % 40));
    const auto place = [](server::Place at) {
      return Json{{"line", at.line}, {"character", at.character}};
    };
    editor.tell("textDocument/didChange",
                {{"textDocument", {{"uri", uri}, {"version", version}}},
                 {"contentChanges",
                  {{{"range", {{"start", place(begin)}, {"end", place(end)}}}, {"text", added}}}}});
    const std::uint32_t from = lines.offset(begin);
    text = text.substr(0, from) + added + text.substr(std::max(from, lines.offset(end)));
    if (version % 3 == 0) editor.ask(place(begin));
  }
  return text;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = fuzz::to_text(data, size);
  const std::vector<std::string> whole = bodies(bytes, std::max<std::size_t>(size, 1));
  GPULINT_CHECK(whole == bodies(bytes, 1));
  GPULINT_CHECK(whole == bodies(bytes, 7));
  const auto units = size % 2 == 0 ? server::Units::utf8 : server::Units::utf16;
  const std::string both = valid(bytes);
  const std::size_t end = std::min(both.find(marker), both.size());
  const std::string text = both.substr(0, end);
  const std::string other = both.substr(std::min(end + marker.size(), both.size()));
  Editor editor(units, other);
  editor.open(text);
  const std::string edited = edit(text, units, editor);
  editor.settle();
  Editor fresh(units, other);
  fresh.open(edited);
  fresh.settle();
  GPULINT_CHECK(editor.findings() == fresh.findings());
  return 0;
}

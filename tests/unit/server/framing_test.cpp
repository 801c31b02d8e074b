#include "compiler/server/framing.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpulint::server;

namespace {

[[nodiscard]] std::vector<std::string> bodies(FrameReader& reader) {
  std::vector<std::string> all;
  while (auto body = reader.next()) all.push_back(*body);
  return all;
}

}  // namespace

TEST_CASE("A frame has the length of its body in bytes") {
  CHECK(frame("") == "Content-Length: 0\r\n\r\n");
  CHECK(frame("ä") == "Content-Length: 2\r\n\r\nä");
}

TEST_CASE("Frames are found in any pieces of the stream") {
  const std::string stream = frame("one") + frame("") + frame("zwei");
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    FrameReader reader;
    std::vector<std::string> found;
    for (std::size_t at = 0; at < stream.size(); at += size) {
      reader.add(std::string_view(stream).substr(at, size));
      for (std::string& body : bodies(reader)) found.push_back(std::move(body));
    }
    CHECK(found == std::vector<std::string>{"one", "", "zwei"});
  }
}

TEST_CASE("Further header fields and any letter case are accepted") {
  FrameReader reader;
  reader.add(
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\nok");
  CHECK(bodies(reader) == std::vector<std::string>{"ok"});
}

TEST_CASE("A header without a usable length is skipped") {
  for (const char* const header : {"Content-Length: -1", "Content-Length: x", "Content-Length:",
                                   "Content-Length: 99999999999999999999999", "Hello", ""}) {
    FrameReader reader;
    reader.add(std::string(header) + "\r\n\r\n" + frame("ok"));
    CHECK(bodies(reader) == std::vector<std::string>{"ok"});
  }
}

TEST_CASE("A body that is too long is skipped, and not kept") {
  FrameReader reader;
  reader.add("Content-Length: " + std::to_string(most_message_bytes + 1) + "\r\n\r\n");
  const std::string piece(1U << 20U, 'x');
  for (std::size_t sent = 0; sent < most_message_bytes; sent += piece.size()) {
    reader.add(piece);
    CHECK_FALSE(reader.next());
  }
  reader.add("x" + frame("ok"));
  CHECK(bodies(reader) == std::vector<std::string>{"ok"});
}

TEST_CASE("A stream that is no protocol is not kept") {
  FrameReader reader;
  for (int i = 0; i < 100; ++i) {
    reader.add(std::string(100000, 'x'));
    CHECK_FALSE(reader.next());
  }
  reader.add("\r\n\r\n" + frame("ok"));
  CHECK(bodies(reader) == std::vector<std::string>{"ok"});
}

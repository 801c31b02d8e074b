// What `pyflyte package` writes, in bytes that these tests put together by protobuf.dev's
// «Encoding» and POSIX's «ustar Interchange Format».
#include "frontend/protobuf/package.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <zlib.h>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "frontend/protobuf/archive.h"
#include "frontend/protobuf/wire_reader.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}
[[nodiscard]] std::string number(std::uint32_t field, std::uint64_t value) {
  return varint(field << 3U) + varint(value);
}
[[nodiscard]] std::string bytes(std::uint32_t field, std::string_view value) {
  return varint(field << 3U | 2U) + varint(value.size()) + std::string(value);
}
[[nodiscard]] std::string identifier(std::uint64_t type, std::string_view name) {
  return number(1, type) + bytes(2, "project") + bytes(4, name);
}
/// A TaskSpec whose container asks for one GPU.
[[nodiscard]] std::string task(std::string_view name) {
  const std::string resources = bytes(1, number(1, 2) + bytes(2, "1"));
  return bytes(1, bytes(1, identifier(1, name)) + bytes(2, "python-task") +
                      bytes(6, bytes(1, "image") + bytes(4, resources)));
}

[[nodiscard]] std::string padded(std::string text, std::size_t size) {
  text.resize(size, '\0');
  return text;
}
[[nodiscard]] std::string archived(std::string_view name, std::string_view content, char type = '0',
                                   std::string_view prefix = "") {
  std::string header = padded(std::string(name), 100) + padded("0000644", 8) + padded("", 16) +
                       padded(fmt::format("{:011o}", content.size()), 12) + padded("0", 12) +
                       std::string(8, ' ') + type + padded("", 100) + padded("ustar", 6) + "00" +
                       padded("", 80) + padded(std::string(prefix), 155);
  header = padded(header, 512);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  header.replace(148, 8, padded(fmt::format("{:06o}", sum), 7) + " ");
  return header + padded(std::string(content), (content.size() + 511) / 512 * 512);
}
[[nodiscard]] std::string archive_of(const std::string& files) {
  return files + std::string(1024, '\0');
}

[[nodiscard]] std::string gzip(std::string text) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

[[nodiscard]] std::string told(std::string_view bytes) {
  const Result<std::string> text = package::unpack(bytes);
  return text.ok() ? text.value() : text.error().message;
}

constexpr std::string_view told_train =
    R"({"template": {"id": {"resourceType": "TASK", "name": "train"}, "type": "python-task", )"
    R"("container": {"resources": {"requests": [{"name": "GPU", "value": "1"}]}}}})";

}  // namespace

TEST_CASE("Protobuf: a field is its number, how it is written, and its value") {
  using namespace std::string_literals;
  const std::string message = "\x08\x96\x01"s + bytes(2, "abc") + "\x1D\x01\x02\x03\x04"s;
  protobuf::WireReader reader(message);
  auto field = reader.next();
  REQUIRE(field);
  CHECK(field->number == 1);
  CHECK(field->value == 150);  // the example of «Encoding»
  field = reader.next();
  REQUIRE(field);
  CHECK(field->bytes == "abc");
  field = reader.next();
  REQUIRE(field);
  CHECK(field->type == protobuf::WireType::fixed32);
  CHECK(field->value == 0x04030201);
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.is_broken());
}

TEST_CASE("Protobuf: what is no message is none") {
  using namespace std::string_literals;
  const std::string_view broken[] = {
      "\x08",
      "\x0A\x05\x61\x62",
      "\x0B\x0C",             // a group
      "\x0F",                 // of no type
      "\x09\x01\x02",         // cut off
      "\xFF\xFF\xFF\xFF\x7F"  // of no number
  };
  const std::string endless = "\x08"s + std::string(11, '\xFF');
  const std::string numberless = "\0\x01"s;
  for (const std::string_view message :
       {broken[0], broken[1], broken[2], broken[3], broken[4], broken[5], std::string_view(endless),
        std::string_view(numberless)}) {
    protobuf::WireReader reader(message);
    while (reader.next()) continue;
    CHECK(reader.is_broken());
  }
}

TEST_CASE("Archives: names that are long stand in a prefix, or in a record before") {
  const std::string path = "a/" + std::string(120, 'x') + ".pb";
  const std::string record = " path=" + path + "\n";
  const std::string files =
      archived("short.pb", "one") + archived("b.pb", "two", '0', "in/folder") +
      archived("ignored", fmt::format("{}{}", record.size() + 3, record), 'x') +
      archived("cut", "three") + archived("folder/", "", '5') +
      archived("././@LongLink", path + '\0', 'L') + archived("cut", "four");
  const std::string archive = archive_of(files);  // the files are views of it
  const auto read = read_tar(archive);
  REQUIRE(read.ok());
  std::string seen;
  for (const ArchivedFile& file : read.value())
    seen += fmt::format("{}={};", file.name, file.bytes);
  CHECK(seen == fmt::format("short.pb=one;in/folder/b.pb=two;{0}=three;{0}=four;", path));
}

TEST_CASE("Archives: what is damaged is told") {
  std::string damaged = archive_of(archived("a.pb", "one"));
  damaged[0] = 'b';
  CHECK(read_tar(damaged).error().message == "its archive is damaged");
  CHECK(read_tar(archived("a.pb", "one").substr(0, 514)).error().message ==
        "its archive is cut off");
  CHECK(read_tar(archive_of(archived("a", "9 path", 'x'))).error().message ==
        "its archive is damaged");
}

TEST_CASE("gzip: several members are one text, bombs are refused") {
  const auto text = gunzip(gzip("one ") + gzip("two") + "behind");
  REQUIRE(text.ok());
  CHECK(text.value() == "one two");
  const std::string whole = gzip(std::string(4096, 'x'));
  CHECK(gunzip(whole.substr(0, whole.size() - 9)).error().message == "it is cut off");
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;
  CHECK(gunzip(damaged).error().message == "it is damaged");
  CHECK(gunzip(gzip(std::string(257U << 20U, '\0'))).error().message ==
        "it unpacks to more than 256 MiB");
}

TEST_CASE("Packages: tasks in a message, an archive, and a compressed one") {
  const std::string one = "[" + std::string(told_train) + "]";
  CHECK(told(task("train")) == one);
  const std::string archive =
      archive_of(archived("readme.txt", "nothing") + archived("0_train_1.pb", task("train")));
  CHECK(told(archive) == one);
  CHECK(told(gzip(archive)) == one);
  const SourceFile file(0, "package.tgz", one, SourceFile::Encoding::told);
  const auto document = package::parse(file);
  const Node name = root(*document).items().front().get("template").get("id").get("name");
  CHECK(name.text() == "train");
  CHECK(file.text(name.span()) == "\"train\"");
  CHECK(file.position(name.span().begin).column == 1);
}

TEST_CASE("Packages: what else is registered holds no tasks, other messages are passed over") {
  const std::string launch_plan = bytes(1, identifier(3, "train")) + bytes(2, "");
  CHECK(told(launch_plan) == "[]");
  const std::string files =
      archived("inputs.pb", bytes(1, bytes(1, "x"))) + archived("2_train_3.pb", launch_plan);
  CHECK(told(archive_of(files)) == "[]");
  CHECK(told(archive_of(archived("values.yaml", "a: 1"))) ==
        "it contains no task, workflow or launch plan");
  CHECK(told("a: 1") == "it contains no task, workflow or launch plan");
  CHECK(told("") == "it contains no task, workflow or launch plan");
  CHECK(told(gzip("a: 1")) == "it contains no archive");
}

TEST_CASE(
    "Packages: fields of any other number are nobody's, parts of a message are put together") {
  const std::string spec = bytes(1, bytes(1, identifier(1, "train"))) + bytes(2, "description") +
                           bytes(1, bytes(3, number(8, 1)) + bytes(99, "later"));
  CHECK(
      told(spec) ==
      R"([{"template": {"id": {"resourceType": "TASK", "name": "train"}, "metadata": {"interruptible": true}}}])");
}

TEST_CASE("Packages: what is made to be large or deep ends") {
  std::string value = bytes(3, "x");
  for (int i = 0; i < 100; ++i) value = bytes(6, bytes(1, value));  // lists in lists
  const std::string custom = bytes(1, bytes(1, "key") + bytes(2, value));
  CHECK(told(bytes(1, bytes(1, identifier(1, "train")) + bytes(5, custom))) ==
        "it is nested too deeply");
  const std::string no_text = bytes(1, bytes(1, identifier(1, "train")) + bytes(2, "\xFF"));
  CHECK(told(no_text) == "a text in it is not UTF-8");
  CHECK(told(archive_of(
            archived("a_1.pb", bytes(1, bytes(1, identifier(1, "a")) + bytes(6, "\x07"))))) ==
        "a_1.pb in it: it is not protobuf");
}

}  // namespace gpulint

#include "frontend/protobuf/package.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/json_reader.h"
#include "frontend/protobuf/archive.h"
#include "frontend/protobuf/message_json.h"
#include "frontend/protobuf/wire_reader.h"
#include "frontend/stream.h"

namespace gpulint::package {
namespace {

using protobuf::WireReader;
using protobuf::WireType;

/// flyteidl's ResourceType.
enum class Registered : std::uint8_t { task = 1, workflow = 2, launch_plan = 3 };

/// A message's field of bytes, its parts concatenated; nullopt if it has none, or is not a message.
[[nodiscard]] std::optional<std::string> part_of(std::string_view message, std::uint32_t number) {
  WireReader reader(message);
  std::optional<std::string> found;
  while (const auto field = reader.next()) {
    if (field->number != number || field->type != WireType::bytes) continue;
    if (!found) found.emplace();
    *found += field->bytes;
  }
  return reader.is_broken() ? std::nullopt : found;
}

/// The type in an Identifier, which must have a name.
[[nodiscard]] std::optional<Registered> type_of_identifier(std::string_view identifier) {
  std::uint64_t type = 0;
  WireReader reader(identifier);
  while (const auto field = reader.next()) {
    if (field->number == 1 && field->type == WireType::varint) type = field->value;
  }
  if (type < 1 || type > 3 || !part_of(identifier, 4)) return std::nullopt;
  return static_cast<Registered>(type);
}

/// The type of a message, which does not state it: specs of tasks and workflows contain a template
/// with the identifier, launch plans the identifier itself.
[[nodiscard]] std::optional<Registered> type_of(std::string_view message) {
  const auto first = part_of(message, 1);
  if (!first) return std::nullopt;
  const auto type = type_of_identifier(*first);
  if (type == Registered::launch_plan) return type;
  const auto identifier = part_of(*first, 1);
  return identifier ? type_of_identifier(*identifier) : std::nullopt;
}

class Unpacker {
 public:
  [[nodiscard]] Result<std::string> run(std::string_view bytes) {
    std::string unpacked;
    if (is_gzip(bytes)) {
      Result<std::string> made = gunzip(bytes);
      if (!made.ok()) return made.error();
      unpacked = std::move(made).value();
      bytes = unpacked;
      if (!is_tar(bytes)) return Error{"it contains no archive"};
    }
    if (is_tar(bytes)) {
      add_archive(bytes);
    } else {
      add(bytes);
      if (why_.empty() && !is_any_) why_ = "it contains no task, workflow or launch plan";
    }
    if (!why_.empty()) return Error{why_};
    return out_ + "]";
  }

 private:
  void add_archive(std::string_view bytes) {
    Result<std::vector<ArchivedFile>> read = read_tar(bytes);
    if (!read.ok()) {
      why_ = read.error().message;
      return;
    }
    std::vector<ArchivedFile> files = std::move(read).value();
    std::erase_if(files, [](const ArchivedFile& file) { return !file.name.ends_with(".pb"); });
    std::ranges::stable_sort(files, {}, &ArchivedFile::name);
    for (const ArchivedFile& file : files) {
      add(file.bytes);
      if (why_.empty()) continue;
      why_ = fmt::format("{} in it: {}", file.name, why_);
      return;
    }
    if (!is_any_) why_ = "it contains no task, workflow or launch plan";
  }

  /// There may be other messages: inputs and outputs of tasks.
  void add(std::string_view message) {
    const auto type = type_of(message);
    is_any_ = is_any_ || type.has_value();
    if (!type || type == Registered::launch_plan) return;
    if (out_.size() > 1) out_ += ", ";
    const bool is_task = type == Registered::task;
    why_ = protobuf::append_message(message,
                                    is_task ? flyteidl::task_spec : flyteidl::workflow_spec, out_);
  }

  std::string out_ = "[";
  std::string why_;
  bool is_any_ = false;
};

}  // namespace

Result<std::string> unpack(std::string_view bytes) { return Unpacker().run(bytes); }

std::unique_ptr<Document> parse(const SourceFile& file) {
  auto document = std::make_unique<Document>();
  document->file = file.id();
  document->span = file.whole();
  DocumentText where;
  where.end = static_cast<std::uint32_t>(file.text().size());
  (void)read_json(file.text(), where, *document);
  return document;
}

}  // namespace gpulint::package

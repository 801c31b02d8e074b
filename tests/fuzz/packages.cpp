// Packages: what is told of them is JSON that is read again, and its tasks stand in it.
#include <cstddef>
#include <string>
#include <string_view>

#include "compiler/base/check.h"
#include "compiler/flyte/packaged_tasks.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/node.h"
#include "frontend/protobuf/package.h"
#include "tests/fuzz/target.h"

namespace {

using namespace gpulint;

void check(std::string_view bytes) {
  const auto told = package::unpack(bytes);
  if (!told.ok()) {
    GPULINT_CHECK(!told.error().message.empty());
    return;
  }
  const SourceFile file(0, "package.tgz", told.value(), SourceFile::Encoding::told);
  GPULINT_CHECK(file.line_count() == 1);
  const auto document = package::parse(file);
  GPULINT_CHECK(root(*document).is_sequence());
  for (const auto& [id, tasks] : flyte::read_packaged_tasks({document.get()})) {
    if (!tasks.document) continue;
    for (const NodeData& node : tasks.document->nodes) {
      GPULINT_CHECK(node.begin <= node.end && node.end <= file.text().size());
    }
    for (const Node entry : root(*tasks.document).items()) {
      (void)flyte::read_task(entry, FlyteVersion::v1);
    }
  }
}

/// A message of protobuf in another, as field 1.
[[nodiscard]] std::string as_first(std::string_view message) {
  std::string bytes = "\x0A";
  std::size_t size = message.size();
  for (; size >= 0x80; size >>= 7U) bytes += static_cast<char>(size | 0x80U);
  bytes += static_cast<char>(size);
  return bytes.append(message);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = fuzz::to_text(data, size);
  check(bytes);
  // Few bytes are a task by chance: these are what one has behind its name.
  for (const std::string_view identifier : {"\x08\x01\x22\x01t", "\x08\x02\x22\x01w"}) {
    check(as_first(as_first(identifier) + bytes));
  }
  return 0;
}

// Packages: what is told of them is JSON that is read again, and its tasks stand in it.
#include "compiler/base/check.h"
#include "compiler/flyte/packaged_tasks.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/node.h"
#include "frontend/protobuf/package.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const auto told = package::unpack(fuzz::to_text(data, size));
  if (!told.ok()) {
    GPULINT_CHECK(!told.error().message.empty());
    return 0;
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
  return 0;
}

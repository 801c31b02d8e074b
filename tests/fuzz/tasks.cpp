// Tasks: `--task` text, and files of them.
#include "compiler/flyte/task.h"
#include "frontend/yaml_parser.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = fuzz::to_text(data, size);
  (void)flyte::parse_task_spec(text, FlyteVersion::v1);
  (void)flyte::parse_task_spec(text, FlyteVersion::v2);
  const SourceFile file(0, "tasks.yaml", text);
  for (const auto& document : parse_file(file)) {
    const auto entries = flyte::task_entries(root(*document));
    if (!entries) continue;
    for (const Node entry : *entries) {
      (void)flyte::read_task(entry, FlyteVersion::v1);
      (void)flyte::read_task(entry, FlyteVersion::v2);
    }
  }
  return 0;
}

// Suppressions in any text: each lies in the file.
#include "compiler/base/check.h"
#include "compiler/check/suppression.h"
#include "frontend/yaml_parser.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const SourceFile file(0, "input.yaml", "# gpulint: ignore" + fuzz::to_text(data, size));
  const auto parsed = parse_file(file);
  std::vector<const Document*> documents;
  for (const auto& document : parsed) documents.push_back(document.get());
  for (const Suppression& suppression : read_suppressions(file, documents)) {
    GPULINT_CHECK(suppression.where.end <= file.text().size());
    GPULINT_CHECK(suppression.covers.begin <= suppression.covers.end);
    GPULINT_CHECK(suppression.covers.end <= file.text().size());
  }
  return 0;
}

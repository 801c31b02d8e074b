// gpulint.yaml of any bytes: read or refused with a place, never more.
#include "compiler/base/check.h"
#include "compiler/project/config_file.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const SourceFile file(0, "gpulint.yaml", fuzz::to_text(data, size));
  const ConfigFile config = read_config_file(file);
  for (const std::string& error : config.errors) GPULINT_CHECK(error.starts_with("gpulint.yaml:"));
  return 0;
}

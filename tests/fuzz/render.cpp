// A file of any bytes, checked and fixed in memory, then rendered by every backend that shows
// places: text with snippets, the page, SARIF, and the unified diff of all fixes.
#include "tests/harness/render.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpulint::test::render_everything(gpulint::fuzz::to_text(data, size));
  return 0;
}

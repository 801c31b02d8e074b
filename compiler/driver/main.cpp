#include <cstdio>
#include <exception>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "compiler/driver/commands.h"
#include "compiler/driver/options.h"

namespace {

/// Makes threads request memory from the kernel in larger pieces than a page or two at a time.
void take_memory_in_large_pieces() {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, 1 << 20);  // NOLINT(concurrency-mt-unsafe): before there are threads
#endif
}

}  // namespace

int main(int argc, char** argv) {
  take_memory_in_large_pieces();
  try {
    const gpulint::ParsedOptions parsed = gpulint::parse_options(argc, argv);
    return parsed.options ? gpulint::run_command(*parsed.options) : parsed.exit_status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpulint: %s\n", error.what());
    return 2;
  }
}

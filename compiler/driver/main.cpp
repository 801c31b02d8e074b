#include <cstdio>
#include <exception>

#include "compiler/driver/commands.h"
#include "compiler/driver/options.h"

int main(int argc, char** argv) {
  try {
    const gpulint::ParsedOptions parsed = gpulint::parse_options(argc, argv);
    return parsed.options ? gpulint::run_command(*parsed.options) : parsed.exit_status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpulint: %s\n", error.what());
    return 2;
  }
}

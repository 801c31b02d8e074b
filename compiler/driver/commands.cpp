#include "compiler/driver/commands.h"

namespace gpulint {

int run_command(const Options& options) {
  switch (options.command) {
    case Command::check: return run_check(options);
    case Command::fix: return run_fix(options);
    case Command::completions: return run_completions(options);
    default: return 2;
  }
}

}  // namespace gpulint

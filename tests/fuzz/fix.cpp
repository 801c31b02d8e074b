// A file of any bytes, fixed: what parsed before parses after, comments stay, and nothing is left
// to fix.
#include "compiler/driver/fix.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include "compiler/base/check.h"
#include "compiler/engine/fixer.h"
#include "frontend/yaml_parser.h"
#include "tests/fuzz/target.h"

namespace gpulint {
namespace {

struct Reading {
  std::size_t errors = 0;
  std::vector<std::string> comments;  // sorted, but those of gpulint, which it may remove
};

[[nodiscard]] Reading read(const std::string& text) {
  const SourceFile file(0, "input.yaml", text);
  Reading reading;
  for (const auto& document : parse_file(file)) {
    reading.errors += document->errors.size();
    for (const Span comment : document->comments) {
      const std::string written(file.text(comment));
      if (written.find("gpulint:") == std::string::npos) reading.comments.push_back(written);
    }
  }
  std::ranges::sort(reading.comments);
  return reading;
}

/// A file of this process alone, in memory where the system has such a place.
[[nodiscard]] std::string scratch_path() {
  const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  return std::string(folder) + "/gpulint-fuzz-" + std::to_string(getpid()) + ".yaml";
}

}  // namespace
}  // namespace gpulint

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string path = scratch_path();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  Options options;
  options.paths = {path};
  options.no_config = true;
  options.unsafe_fixes = true;
  options.jobs = 1;
  const FixOutcome outcome =
      fix_inputs(options, [](const Project&, const Diagnostic&) { return true; });
  for (const auto& [name, file] : outcome.files) {
    const Reading before = read(file.before);
    const Reading after = read(file.after);
    GPULINT_CHECK(after.errors <= before.errors);
    if (before.errors > 0) continue;  // comments of broken documents are not known
    GPULINT_CHECK(std::ranges::includes(after.comments, before.comments));
  }
  std::remove(path.c_str());
  return 0;
}

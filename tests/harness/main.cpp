// Catch2's main, with ctest's exit statuses: 0 passed, 1 failed, 77 skipped (test::skip).
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/harness/skip.h"

namespace gpulint::test {
namespace {

bool is_skipped = false;

}  // namespace

void skip(const std::string& reason) {
  WARN("skipped: " << reason);
  is_skipped = true;
  throw Catch::TestFailureException();  // ends the test, and counts as no failure by itself
}

}  // namespace gpulint::test

int main(int count, char** words) {
  constexpr int skipped = 77;
  Catch::Session session;
  if (const int refused = session.applyCommandLine(count, words); refused != 0) return 1;
  // The number of failures can be 77 itself, so it is no exit status.
  const bool lists = session.configData().listTests || session.configData().listTags ||
                     session.configData().listTestNamesOnly || session.configData().listReporters;
  const int failures = session.run();
  if (lists) return failures;
  if (failures != 0) return 1;
  return gpulint::test::is_skipped ? skipped : 0;
}

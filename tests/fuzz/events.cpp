// Messages in any text: each lies in it, in order, and reading is repeatable.
#include "compiler/base/check.h"
#include "compiler/messages/explain.h"
#include "compiler/messages/parse.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = fuzz::to_text(data, size);
  const std::vector<events::Event> found = events::parse(text);
  std::size_t before = 0;
  for (const events::Event& event : found) {
    GPULINT_CHECK(before <= event.begin && event.begin <= event.end && event.end <= size);
    before = event.begin;
    for (const events::Claim& claim : event.claims) {
      GPULINT_CHECK(claim.begin <= claim.end && claim.end <= size);
      GPULINT_CHECK(!events::explain(claim, event).meaning.empty());
    }
  }
  GPULINT_CHECK(events::parse(text) == found);
  return 0;
}

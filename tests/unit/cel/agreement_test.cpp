// Kubernetes' own code answered these questions (tests/dra): what gpulint says is the same, or
// open.
#include <iostream>
#include <map>

#include <catch2/catch.hpp>

#include "compiler/cel/selector.h"
#include "tests/harness/recorded_answers.h"
#include "tests/unit/cel/device_json.h"

namespace {

using namespace gpulint;

[[nodiscard]] std::string to_text(cel::Verdict verdict) {
  switch (verdict) {
    case cel::Verdict::no:
      return "false";
    case cel::Verdict::yes:
      return "true";
    case cel::Verdict::error:
      return "error";
    case cel::Verdict::open:
      break;
  }
  return "open";
}

}  // namespace

TEST_CASE("Selectors come out as in Kubernetes") {
  std::map<std::string, std::size_t> answers;
  std::size_t differences = 0;
  std::size_t asked = 0;
  test::for_each_answer("selectors.jsonl", "GPULINT_SELECTORS", [&](const nlohmann::json& one) {
    const nlohmann::json& ask = one["ask"];
    const cel::Selector selector(ask["selector"].get<std::string>());
    const cel::Match match = selector.match(
        cel::device_value(test::read_device(ask["device"], ask["device"]["driver"])));
    const std::string own = to_text(match.verdict);
    ++asked;
    ++answers[own];
    if (own == "open" || own == one["answer"].get<std::string>()) return;
    ++differences;
    UNSCOPED_INFO(ask.dump());
    CHECK(own + ": " + match.text ==
          one["answer"].get<std::string>() + ": " + one.value("text", ""));
  });
  INFO(asked << " selectors, open: " << answers["open"]);
  CHECK(asked >= 750);
  CHECK(differences == 0);
  // Every answer occurs, and what is open stays the exception.
  CHECK(answers["true"] * 10 > asked);
  CHECK(answers["false"] * 10 > asked);
  CHECK(answers["error"] * 10 > asked);
  CHECK(answers["open"] * 20 < asked);
}

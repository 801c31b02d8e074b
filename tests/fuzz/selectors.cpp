// Any bytes as a device selector: it is read, typed and run without harm, the same way each time,
// and its parts lie inside of its text.
#include <string>

#include "compiler/base/check.h"
#include "compiler/cel/selector.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = fuzz::to_text(data, size);
  const cel::Selector selector(text);
  cel::DeviceView view;
  view.driver = "gpu.nvidia.com";
  view.allows_many = false;
  view.attributes = {{"index", std::int64_t{3}},
                     {"type", std::string("gpu")},
                     {"driverVersion", cel::VersionText{"550.90.7"}},
                     {"ids", std::vector<std::int64_t>{1, 2, 3}},
                     {"opaque", std::monostate()}};
  view.capacity = {{"memory", Quantity::parse("40Gi")}};
  const cel::Value device = cel::device_value(view);
  const cel::Match match = selector.match(device);
  GPULINT_CHECK(match.verdict == selector.match(device).verdict);
  GPULINT_CHECK(selector.complaint().at <= text.size());
  for (const cel::Index term : selector.terms()) {
    GPULINT_CHECK(text.find(selector.term_text(term)) != std::string::npos);
    const cel::Verdict verdict = selector.match_term(term, device).verdict;
    GPULINT_CHECK(verdict == cel::Verdict::yes || match.verdict != cel::Verdict::yes);
  }
  for (const cel::Selector::Use& use : selector.uses()) GPULINT_CHECK(use.begin <= text.size());
  return 0;
}

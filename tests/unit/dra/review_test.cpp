#include "compiler/model/dra/review.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint::test {
namespace {

const std::string slice = R"(
metadata: {name: slice}
spec:
  driver: gpu.nvidia.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: a, attributes: {index: {int: 0}, model: {string: A100}, is-whole: {bool: true}}}
  - {name: b, attributes: {index: {int: 1}, model: {string: H100}, is-whole: {bool: false}}}
  - {name: c, attributes: {index: {string: "1"}, model: {version: 1.0.0}}}
  - {name: d, attributes: {gpu.nvidia.com/index: {int: 1}, model: {string: H100}}}
  - {name: e}
)";

}  // namespace

TEST_CASE("A reviewer counts devices as if it asked each of them") {
  const Parsed devices(slice);
  dra::Stock stock;
  stock.slices.push_back(dra::read_slice(devices.root()));
  const dra::Inventory inventory(std::move(stock));
  dra::Reviewer reviewer(inventory);
  const std::string attributes = "device.attributes['gpu.nvidia.com']";
  for (const std::string& text : std::vector<std::string>{
           attributes + ".index == 1", "1 == " + attributes + ".index", attributes + ".index == 7",
           attributes + ".index == '1'", attributes + ".index == 1.0",
           attributes + ".model == 'H100' && " + attributes + ".index == 1",
           attributes + ".model == 'H100' || " + attributes + ".index == 0",
           attributes + "['is-whole'] == true", "has(" + attributes + ".index) == true",
           attributes + ".?index == optional.of(1)", "device.driver == 'gpu.nvidia.com'",
           "device.attributes['other'].index == 1"}) {
    CAPTURE(text);
    const cel::Selector selector(text);
    std::size_t satisfied = 0;
    std::size_t failing = 0;
    bool is_open = selector.understood() != cel::Understood::fully;
    for (const dra::Device& device : inventory.slices().front().devices) {
      const cel::Verdict verdict = selector.match(device.variable).verdict;
      if (verdict == cel::Verdict::yes) ++satisfied;
      if (verdict == cel::Verdict::error) ++failing;
      is_open = is_open || verdict == cel::Verdict::open;
    }
    const dra::SelectorReview review = reviewer.review_all(selector);
    CHECK(review.is_open == is_open);
    if (is_open) continue;
    CHECK(review.satisfied == satisfied);
    CHECK(review.failing == failing);
    CHECK((review.nearest != nullptr) == (satisfied == 0 || failing > 0));
  }
}

}  // namespace gpulint::test

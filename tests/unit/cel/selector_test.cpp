#include "compiler/cel/selector.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace gpulint::cel {
namespace {

[[nodiscard]] DeviceView a100_view() {
  DeviceView device;
  device.driver = "gpu.nvidia.com";
  device.allows_many = false;
  device.attributes = {{"productName", std::string("NVIDIA A100-SXM4-40GB")},
                       {"index", std::int64_t{0}},
                       {"gpu.nvidia.com/cudaComputeCapability", VersionText{"8.0.0"}},
                       {"secret", std::monostate()}};
  device.capacity = {{"memory", Quantity::parse("40Gi")}};
  return device;
}

[[nodiscard]] Value a100() { return device_value(a100_view()); }

[[nodiscard]] Verdict ask(const std::string& text) { return Selector(text).match(a100()).verdict; }

TEST_CASE("A selector sees attributes and capacity under the driver's domain") {
  CHECK(ask("device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA A100')") ==
        Verdict::yes);
  CHECK(ask("device.attributes['gpu.nvidia.com'].cudaComputeCapability.major() == 9") ==
        Verdict::no);
  CHECK(ask("device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0") ==
        Verdict::yes);
  // A name that no device has is no `false` but a failure, which ends the pod's scheduling.
  CHECK(ask("device.attributes['gpu.nvidia.com'].memory == '40Gi'") == Verdict::error);
  CHECK(ask("device.attributes['gpu.nvidia.com'].index == 1 || device.attributes['x'].y == 1") ==
        Verdict::error);
}

TEST_CASE("The largest int equals the double above it, as in cel-go") {
  CHECK(ask("double(9223372036854775807) > 9223372036854775807") == Verdict::no);
  CHECK(ask("double(9223372036854775807) >= 9223372036854775807") == Verdict::yes);
  CHECK(ask("2.0 * double(9223372036854775807) > 9223372036854775807") == Verdict::yes);
  CHECK(ask("double(18446744073709551615u) > 18446744073709551615u") == Verdict::no);
}

TEST_CASE("What is opaque, or not read, leaves a selector open") {
  CHECK(ask("device.attributes['gpu.nvidia.com'].secret == 'a'") == Verdict::open);
  CHECK(ask("device.attributes['gpu.nvidia.com'].secret == 'a' && device.driver == 'x'") ==
        Verdict::no);
  CHECK(ask("device.attributes['gpu.nvidia.com'].productName.format([1]) == ''") == Verdict::open);
  CHECK(ask("duration('1s') < duration('2s')") == Verdict::open);
  // Too long, too deep, too much work: none of it is guessed.
  CHECK(ask(std::string(11'000, ' ') + "true") == Verdict::open);
  CHECK(ask(std::string(200, '(') + "true" + std::string(200, ')')) == Verdict::open);
  std::string loops = "true";
  for (int i = 0; i < 6; ++i) loops = "[1,2,3,4,5,6,7,8].all(x, " + loops + ")";
  CHECK(ask(loops) == Verdict::open);
}

TEST_CASE("A device of which not all is seen leaves open what it does not show") {
  DeviceView view = a100_view();
  view.is_partial = true;
  const Value device = device_value(view);
  const auto verdict = [&](const std::string& text) {
    return Selector(text).match(device).verdict;
  };
  CHECK(verdict("device.driver == 'x'") == Verdict::no);
  CHECK(verdict("device.attributes['gpu.nvidia.com'].productName.contains('H100')") == Verdict::no);
  CHECK(verdict("device.attributes['gpu.nvidia.com'].brand == 'Nvidia'") == Verdict::open);
  CHECK(verdict("device.attributes['other.example.com'].brand == 'Nvidia'") == Verdict::open);
  CHECK(verdict("has(device.attributes['gpu.nvidia.com'].brand)") == Verdict::open);
  CHECK(verdict("has(device.attributes['gpu.nvidia.com'].index)") == Verdict::yes);
  CHECK(verdict("'other.example.com' in device.attributes") == Verdict::open);
  CHECK(verdict("'gpu.nvidia.com' in device.attributes") == Verdict::yes);
  CHECK(verdict("size(device.attributes) == 1") == Verdict::open);
  CHECK(verdict("device.attributes.all(domain, domain == 'x')") == Verdict::open);
  CHECK(verdict("device.capacity['gpu.nvidia.com'] == {'memory': quantity('40Gi')}") ==
        Verdict::open);
}

TEST_CASE("What the API server refuses is said, and where") {
  const Selector undeclared("devices.driver == 'x'");
  CHECK(undeclared.understood() == Understood::invalid);
  CHECK(undeclared.complaint().text == "'devices' is unknown, because selectors can use only 'device'");
  const Selector field("device.attribute['x'].y == 1");
  CHECK(field.complaint().text == "device has no field 'attribute'");
  const Selector types("device.driver == 1");
  CHECK(types.complaint().text == "'==' does not accept the types (string, int)");
  CHECK(Selector("device.driver = 'x'").understood() == Understood::invalid);
  CHECK(Selector("device.driver").complaint().text ==
        "a selector must evaluate to bool, not string");
  CHECK(Selector("true &&").understood() == Understood::invalid);
  CHECK(Selector("true && device.driver == 1").complaint().at == 8);
}

TEST_CASE("The terms of a selector are told apart, and each asked") {
  const Selector selector(
      "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].index == 7 && "
      "(true || false)");
  const std::vector<Index> terms = selector.terms();
  REQUIRE(terms.size() == 3);
  CHECK(selector.term_text(terms[1]) == "device.attributes['gpu.nvidia.com'].index == 7");
  CHECK(selector.match_term(terms[0], a100()).verdict == Verdict::yes);
  CHECK(selector.match_term(terms[1], a100()).verdict == Verdict::no);
}

TEST_CASE("The names that a selector uses are found") {
  const Selector selector(
      "has(device.attributes['a'].b) && 'c' in device.attributes['d'] && "
      "device.capacity['e'][\"f\"].isLessThan(quantity('1'))");
  std::vector<std::string> found;
  for (const Selector::Use& use : selector.uses()) {
    found.push_back((use.is_capacity ? "capacity " : "") + use.domain + "/" + use.name);
  }
  CHECK(found == std::vector<std::string>{"a/", "a/b", "d/", "capacity e/", "capacity e/f"});
}

TEST_CASE("The texts that names are held against are found") {
  const Selector selector(
      "device.attributes['a'].b == 'one' && ('two' == device.attributes['a'].c || "
      "device.attributes['a']['d'] in ['three', device.driver]) && device.driver == 'no' && "
      "device.attributes['a'].e != 'four'");
  std::vector<std::string> found;
  for (const Selector::Comparison& one : selector.comparisons()) {
    found.push_back(one.use.name + "=" + one.text);
    CHECK(selector.text().substr(one.begin + 1).starts_with(one.text));
  }
  CHECK(found == std::vector<std::string>{"b=one", "c=two", "d=three"});
}

}  // namespace
}  // namespace gpulint::cel

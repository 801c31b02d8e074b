#include "compiler/model/dra/allocate.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint::test {
namespace {

using dra::Allocation;

const std::string two_gpus = R"(
metadata: {name: slice}
spec:
  driver: gpu.nvidia.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, attributes: {index: {int: 0}, productName: {string: A100}}}
  - {name: gpu-1, attributes: {index: {int: 1}, productName: {string: H100}}}
)";
const std::string gpu_class = R"(
metadata: {name: gpu.nvidia.com}
spec: {selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]}
)";

/// The pod's claims, one a document, on node n1 with the slice.
[[nodiscard]] Allocation ask(const std::string& slice, const std::vector<std::string>& specs) {
  const Parsed devices(slice);
  const Parsed classes(gpu_class);
  dra::Stock stock;
  stock.slices.push_back(dra::read_slice(devices.root()));
  stock.classes.push_back(dra::read_device_class(classes.root()));
  const dra::Inventory inventory(std::move(stock));
  std::vector<Parsed> texts;
  texts.reserve(specs.size());
  std::vector<dra::Claim> claims;
  for (const std::string& spec : specs) {
    texts.emplace_back(spec);
    claims.push_back(dra::read_claim_spec(texts.back().root()));
  }
  const dra::NodeView node{"n1", [](Node) -> std::optional<bool> { return std::nullopt; }};
  Allocation allocation = dra::allocate(
      inventory, dra::gather_pools(inventory, node, dra::Occupancy::ignored), claims, node);
  for (auto& claim : allocation.devices) {
    for (dra::Allocated& one : claim) one.device = nullptr;
  }
  return allocation;
}

[[nodiscard]] std::string request(const std::string& more) {
  return "devices: {requests: [{name: r, exactly: {deviceClassName: gpu.nvidia.com" + more + "}}]}";
}

TEST_CASE("The claims of a pod share the devices of a node") {
  CHECK(ask(two_gpus, {request(""), request("")}).answer == Allocation::Answer::yes);
  CHECK(ask(two_gpus, {request(""), request(", count: 2")}).answer == Allocation::Answer::no);
  CHECK(ask(two_gpus, {request(", allocationMode: All")}).devices.front().size() == 2);
}

TEST_CASE("The older shapes of the API are read alike") {
  CHECK(
      ask(two_gpus, {"devices: {requests: [{name: r, deviceClassName: gpu.nvidia.com}]}"}).answer ==
      Allocation::Answer::yes);
  std::string basic = two_gpus;
  for (const char* index : {"0", "1"}) {
    const std::string name = std::string("name: gpu-") + index + ", ";
    basic.replace(basic.find(name), name.size(), name + "basic: {");
    basic.insert(basic.find('\n', basic.find(name)), "}");
  }
  const std::string first =
      ", selectors: [{cel: {expression: \"device.attributes['gpu.nvidia.com'].index == 2\"}}]";
  CHECK(ask(basic, {request("")}).answer == Allocation::Answer::yes);
  CHECK(ask(basic, {request(first)}).answer == Allocation::Answer::no);
}

TEST_CASE("What is not known stays open, what decides whatever it is does not") {
  const std::string templated = R"(, selectors: [{cel: {expression: "{{ .Values.selector }}"}}])";
  CHECK(ask(two_gpus, {request(templated)}).answer != Allocation::Answer::no);
  CHECK(ask(two_gpus, {request(", count: 3")}).answer == Allocation::Answer::no);
  const std::string unread =
      ", selectors: [{cel: {expression: \"device.driver.format([]) == 'x'\"}}]";
  CHECK(ask(two_gpus, {request(unread)}).answer == Allocation::Answer::open);
  CHECK(ask(two_gpus, {request(unread + ", count: 3")}).answer == Allocation::Answer::no);
  // Its class is not among those given.
  CHECK(ask(two_gpus, {"devices: {requests: [{name: r, exactly: {deviceClassName: other}}]}"})
            .answer == Allocation::Answer::open);
  // A field that is newer than what is read here.
  CHECK(ask(two_gpus, {request(", derivedAttributes: [{name: x/y, expression: '1'}]")}).answer ==
        Allocation::Answer::open);
}

TEST_CASE("Ranges of capacity that are not whole stay open") {
  const auto shared = [](const std::string& step) {
    std::string slice = two_gpus;
    const std::string capacity =
        "allowMultipleAllocations: true, capacity: {cores: {value: 8, requestPolicy: "
        "{default: 1, validRange: {min: 1, step: " +
        step + "}}}}, ";
    for (const char* name : {"{name: gpu-0, ", "{name: gpu-1, "}) {
      slice.insert(slice.find(name) + std::string(name).size(), capacity);
    }
    return slice;
  };
  const std::string three = request(", capacity: {requests: {cores: 3}}");
  CHECK(ask(shared("2"), {three, three, three, three}).answer == Allocation::Answer::yes);
  CHECK(ask(shared("2"), {three, three, three, three, three}).answer == Allocation::Answer::no);
  CHECK(ask(shared("1500m"), {three}).answer == Allocation::Answer::open);
}

TEST_CASE("A search that is too long is given up, not decided") {
  std::string many = two_gpus;
  for (int i = 2; i < 60; ++i) {
    many += "  - {name: gpu-" + std::to_string(i) +
            ", attributes: {index: {int: " + std::to_string(i) + "}}}\n";
  }
  const std::string unsolvable =
      "devices: {requests: [{name: r, exactly: {deviceClassName: gpu.nvidia.com, count: 20}}, "
      "{name: s, exactly: {deviceClassName: gpu.nvidia.com, selectors: [{cel: {expression: "
      "'false'}}]}}]}";
  CHECK(ask(many, {unsolvable}).answer == Allocation::Answer::open);
}

}  // namespace
}  // namespace gpulint::test

#include "compiler/why/groups.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/why/scene.h"

namespace gpulint::why {
namespace {

using test::Scene;

constexpr const char* pod = R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: a}
  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 2}}}]
---
)";

[[nodiscard]] std::string node(const std::string& name, const std::string& labels,
                               const std::string& more) {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, " +
         more + "}\n---\n";
}

[[nodiscard]] std::string gpus(const std::string& amount) {
  return "status: {allocatable: {nvidia.com/gpu: " + amount + "}}";
}

/// The nodes of each group and its terms, `!` before those that nothing can change.
[[nodiscard]] std::vector<std::string> lines(const Scene& scene) {
  std::vector<std::string> lines;
  for (const Group& group : group_nodes(scene.subject)) {
    std::string line = group.lacks_device ? "(without)" : "";
    for (const NodePool* pool : group.pools) line += " " + pool->name;
    for (const FailedTerm& failed : group.terms) {
      line += std::string("; ") + (failed.is_fixed ? "!" : "") + demand_text(failed.term);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("nodes that fail alike are one group, and the one that misses least comes first") {
  const Scene scene(
      pod + node("t4", "nvidia.com/gpu.product: Tesla-T4, zone: a", gpus("4")) +
      node("cpu-1", "zone: a", "status: {allocatable: {cpu: 4}}") +
      node("small", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: a", gpus("1")) +
      node("b-1", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: b, rack: '1'", gpus("8")) +
      node("b-2", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: b, rack: '2'", gpus("8")) +
      node("cpu-2", "zone: a", "status: {allocatable: {cpu: 4}}"));
  CHECK(lines(scene) == std::vector<std::string>{
                            " small; 2 nvidia.com/gpu", " b-1 b-2; zone=a",
                            " t4; !nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB",
                            "(without) cpu-1 cpu-2; nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB; "
                            "!2 nvidia.com/gpu"});
}

TEST_CASE("a taint comes before a label, a label before an amount, another device last") {
  const Scene scene(
      pod + node("n1", "nvidia.com/gpu.product: Tesla-T4",
                 "spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}, " + gpus("1")));
  CHECK(lines(scene) == std::vector<std::string>{" n1; sku Equal [gpu]; zone=a; 2 nvidia.com/gpu; "
                                                 "!nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB"});
}

TEST_CASE("a Karpenter pool that the API server rejects promises no machines") {
  const Scene scene(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: train}\n"
      "spec: {containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}\n---\n"
      "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: gpu}, spec: {template: "
      "{spec: "
      "{nodeClassRef: {name: gpu}, requirements: [{key: node.kubernetes.io/instance-type, "
      "operator: "
      "In, values: [g5.xlarge]}]}}}}\n");
  const std::vector<Group> groups = group_nodes(scene.subject);
  REQUIRE(groups.size() == 1);
  CHECK(groups.front().is_open);
  CHECK(groups.front().machines.empty());
  CHECK(groups.front().unknown == "its declaration is invalid, so no new node appears");
}

TEST_CASE("nodes that take it are in no group") {
  const Scene scene(
      pod + node("n1", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: a", gpus("2")));
  CHECK(lines(scene).empty());
}

TEST_CASE("what nodes offer instead is told with the labels that explain it") {
  const Scene scene(
      pod + node("n1",
                 "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: a, nvidia.com/mig.strategy: "
                 "mixed",
                 "status: {allocatable: {nvidia.com/gpu: 0, nvidia.com/mig-1g.5gb: 7}}"));
  const std::vector<Group> groups = group_nodes(scene.subject);
  REQUIRE(groups.size() == 1);
  CHECK(groups.front().terms.front().remark ==
        "offers instead nvidia.com/mig-1g.5gb: 7, nvidia.com/mig.strategy=mixed");
}

}  // namespace gpulint::why

#include "compiler/why/ways.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/why/groups.h"
#include "tests/unit/why/scene.h"

namespace gpulint::why {
namespace {

using test::Scene;

constexpr const char* values = R"(configmap:
  k8s:
    plugins:
      k8s:
        gpu-device-node-label: example.com/gpu
        gpu-partition-size-node-label: example.com/size
---
)";
constexpr const char* task = "name=train,gpu=1,accelerator=A100.partition_1g_5gb";

[[nodiscard]] std::string node(const std::string& labels, const std::string& allocatable) {
  return "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {" + labels +
         "}}, status: {allocatable: {cpu: 8, memory: 32Gi, pods: 110, " + allocatable +
         "}}}\n---\n";
}

[[nodiscard]] std::vector<std::string> titles(const Scene& scene) {
  std::vector<std::string> titles;
  for (const Way& way : find_ways(scene.subject, group_nodes(scene.subject))) {
    titles.push_back(way.title);
  }
  return titles;
}

}  // namespace

TEST_CASE("partitions of the size need nothing but the label") {
  const Scene scene(values + node("example.com/gpu: nvidia-tesla-a100, nvidia.com/mig.strategy: "
                                  "single, nvidia.com/mig.config: all-1g.5gb",
                                  "nvidia.com/gpu: 7"),
                    task);
  CHECK(titles(scene) == std::vector<std::string>{"label n1 `example.com/size=1g.5gb`"});
}

TEST_CASE("where GPUs are whole the task requests one by the nodes' name") {
  const Scene scene(values + node("example.com/gpu: NVIDIA-A100-SXM4-40GB, nvidia.com/gpu.product: "
                                  "NVIDIA-A100-SXM4-40GB",
                                  "nvidia.com/gpu: 8"),
                    task);
  const std::vector<std::string> found = titles(scene);
  CHECK(std::ranges::count(found,
                           "let the task request a whole device by its name on the nodes: "
                           "`device=NVIDIA-A100-SXM4-40GB`, without the partition") == 1);
}

TEST_CASE("nodes are never labelled with what they are not") {
  // Of another size, and of another device.
  const Scene other_size(
      values + node("example.com/gpu: nvidia-tesla-a100, nvidia.com/mig.strategy: single, "
                    "nvidia.com/mig.config: all-2g.10gb",
                    "nvidia.com/gpu: 3"),
      task);
  for (const std::string& title : titles(other_size)) CHECK_FALSE(title.starts_with("label"));
  const Scene other_device(values + node("nvidia.com/gpu.product: Tesla-T4", "nvidia.com/gpu: 1"),
                           task);
  CHECK(titles(other_device).empty());
}

TEST_CASE("a way names the nodes on which it works, and no others") {
  // All three fail at the same labels; the second is of another device, the third of another size.
  const std::string strategy = "nvidia.com/mig.strategy: single, nvidia.com/gpu.product: ";
  const auto named = [](const std::string& name, const std::string& text) {
    return std::string(text).replace(text.find("n1"), 2, name);
  };
  const Scene scene(
      values +
          named("right", node(strategy + "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu: 7")) +
          named("t4", node("nvidia.com/gpu.product: Tesla-T4", "nvidia.com/gpu: 7")) +
          named("large", node(strategy + "NVIDIA-A100-SXM4-40GB-MIG-7g.40gb", "nvidia.com/gpu: 7")),
      task);
  const std::vector<Way> ways = find_ways(scene.subject, group_nodes(scene.subject));
  REQUIRE_FALSE(ways.empty());
  CHECK(ways.front().commands ==
        std::vector<std::string>{"kubectl label node right example.com/gpu=nvidia-tesla-a100 "
                                 "example.com/size=1g.5gb"});
  for (const Way& way : ways) CHECK(way.title.find("t4") == std::string::npos);
}

TEST_CASE("several sizes on one node leave the pod template and Flyte 2") {
  const Scene scene(
      values + node("example.com/gpu: nvidia-tesla-a100, nvidia.com/mig.strategy: mixed",
                    "nvidia.com/mig-1g.5gb: 4, nvidia.com/mig-3g.20gb: 1"),
      task);
  const std::vector<std::string> found = titles(scene);
  REQUIRE(found.size() == 3);
  CHECK(
      found[0] ==
      "request `nvidia.com/mig-1g.5gb` in the task's pod template, without accelerator and `gpu`");
  CHECK(found[1].starts_with("partition the GPUs of n1 into `1g.5gb`"));
  CHECK(found[2].starts_with("with Flyte 2, set a device class"));
}

TEST_CASE("a manifest's pod is offered labels alone") {
  const Scene scene(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: {team: ml}
  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
---
)" + node("nvidia.com/gpu.product: Tesla-T4", "nvidia.com/gpu: 1"));
  CHECK(titles(scene) == std::vector<std::string>{"label n1 `team=ml`"});
  CHECK(find_obstacle(scene.subject, group_nodes(scene.subject)) ==
        "no node has the label `team=ml`; you have to set it yourself");
}

TEST_CASE("labels that GPU Feature Discovery owns are set by nobody else") {
  const Scene scene(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: {nvidia.com/gpu.count: "1"}
  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
---
)" + node("nvidia.com/gpu.product: Tesla-T4", "nvidia.com/gpu: 1"));
  CHECK(titles(scene).empty());
  CHECK(find_obstacle(scene.subject, group_nodes(scene.subject)) ==
        "no node has the label `nvidia.com/gpu.count=1`, which GPU Feature Discovery sets");
}

}  // namespace gpulint::why

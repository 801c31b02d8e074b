#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/generate/support.h"

namespace {

using gpulint::test::Files;
using gpulint::test::generate;
using gpulint::test::places;

constexpr const char* two_nodes = R"(apiVersion: v1
kind: Node
metadata: {name: whole, labels: {cloud.google.com/gke-accelerator: nvidia-tesla-a100}}
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata:
  name: mig
  labels:
    cloud.google.com/gke-accelerator: nvidia-tesla-a100
    cloud.google.com/gke-gpu-partition-size: 2g.10gb
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "3"}}
)";

}  // namespace

TEST_CASE("Labels, tolerations and limits are written with who needs them") {
  const auto generated = generate({{"nodes.yaml", two_nodes}},
                                  {"--chart", "flyte-core", "--task",
                                   "name=train,gpu=2,device=nvidia-tesla-a100,unpartitioned"});
  CHECK(generated.unsolved.empty());
  CHECK(generated.text ==
        R"(# Values for the chart flyte-core of Flyte 1 for the task train.
configmap:
  task_resource_defaults:
    task_resources:
      limits:
        gpu: "2"  # task train requests 2
  k8s:
    plugins:
      k8s:
        gpu-device-node-label: cloud.google.com/gke-accelerator  # node whole: task train
        gpu-partition-size-node-label: cloud.google.com/gke-gpu-partition-size  # node mig: task train
        resource-tolerations:
          nvidia.com/gpu:
            - {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}  # node whole: task train
)");
}

TEST_CASE("Flyte's own configuration and the binary's values have their own paths") {
  const Files files{{"nodes.yaml", two_nodes}};
  const std::vector<std::string> task{"--task", "name=t,gpu=1"};
  auto bare = task;
  bare.insert(bare.end(), {"--bare"});
  CHECK(generate(files, bare).text.find("\nplugins:\n  k8s:\n    resource-tolerations:\n") !=
        std::string::npos);
  auto binary = task;
  binary.insert(binary.end(), {"--chart", "flyte-binary"});
  CHECK(generate(files, binary).text.find("\nconfiguration:\n  inline:\n    plugins:\n") !=
        std::string::npos);
}

TEST_CASE("What the values at hand do already is not written again; lists are repeated") {
  const std::string values = R"(configmap:
  k8s:
    plugins:
      k8s:
        gpu-device-node-label: cloud.google.com/gke-accelerator
        resource-tolerations:
          nvidia.com/gpu:
            - key: dedicated
              operator: Exists
)";
  const std::vector<std::string> arguments{"--task", "name=t,gpu=1,device=nvidia-tesla-a100",
                                           "--chart", "flyte-core"};
  const auto generated = generate({{"nodes.yaml", two_nodes}, {"values.yaml", values}}, arguments);
  CHECK(generated.text.find("gpu-device-node-label") == std::string::npos);
  CHECK(generated.text.find("- {key: dedicated, operator: Exists}  # as before\n") !=
        std::string::npos);
  const Files layered{
      {"nodes.yaml", two_nodes}, {"values.yaml", values}, {"values2.yaml", generated.text}};
  CHECK(places(layered, arguments).at("t").size() == 2);
  CHECK(generate(layered, arguments).text.ends_with("{}\n"));
}

TEST_CASE("What configuration cannot solve is said") {
  const auto message = [&](const std::string& task) {
    const auto generated =
        generate({{"nodes.yaml", two_nodes}}, {"--chart", "flyte-core", "--task", task});
    REQUIRE(generated.unsolved.size() == 1);
    return generated.unsolved.front().message;
  };
  CHECK(message("name=t,gpu=1,device=nvidia-l4")
            .find("no GPU node has a label for the device `nvidia-l4`") == 0);
  CHECK(message("name=t,gpu=1,device=nvidia-tesla-a100,partition=1g.5gb") ==
        "no node with the device `nvidia-tesla-a100` has a label for the partition size `1g.5gb`; "
        "their labels have `2g.10gb`");
  CHECK(message("name=t,gpu=16") ==
        "it requests 16 `nvidia.com/gpu`, but the largest node that it can use has 8");
}

TEST_CASE("A provider alone tells its labels") {
  const auto generated = generate({}, {"--provider", "gke", "--chart", "flyte-core", "--task",
                                       "name=t,gpu=1,accelerator=A100.partition_2g_10gb"});
  CHECK(generated.unsolved.empty());
  CHECK(generated.text.find("gpu-device-node-label: cloud.google.com/gke-accelerator") !=
        std::string::npos);
  CHECK(generated.text.find(
            "gpu-partition-size-node-label: cloud.google.com/gke-gpu-partition-size") !=
        std::string::npos);
}

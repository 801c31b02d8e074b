#include "compiler/messages/described_pod.h"

#include <string>

#include <catch2/catch.hpp>

using gpulint::events::described_pod;

TEST_CASE("a described pod keeps what schedules it, each value on its line") {
  CHECK(described_pod("Name: a\n"
                      "Namespace: team\n"
                      "Containers:\n"
                      "  main:\n"
                      "    Image:  x\n"
                      "    Limits:\n"
                      "      nvidia.com/gpu:  1\n"
                      "    Requests:\n"
                      "      cpu:  500m\n"
                      "Node-Selectors:  pool=gpu\n"
                      "                 zone=b\n"
                      "Tolerations:     a=b:NoSchedule for 30s\n"
                      "                 op=Exists\n"
                      "Events:  <none>\n")
            .manifest ==
        "{apiVersion: v1, kind: Pod, metadata: {name: \"a\"\n"
        ", namespace: \"team\"\n"
        "}, spec: {containers: [\n"
        "{name: \"main\", image: x, resources: {\n"
        "\n"
        "limits: {\n"
        "      \"nvidia.com/gpu\": \"1\", \n"
        "}, requests: {\n"
        "      \"cpu\": \"500m\", \n"
        "}, }}, ], nodeSelector: {\"pool\": \"gpu\", \n"
        "                 \"zone\": \"b\", \n"
        "}, tolerations: [{operator: Equal, value: \"b\", key: \"a\", effect: \"NoSchedule\"}, \n"
        "                 {operator: Exists}, \n"
        "], \n"
        "}}\n");
}

TEST_CASE("what describes no pod is none") {
  CHECK(described_pod("").manifest.empty());
  CHECK(
      described_pod("Name: a\nRoles: <none>\nTaints: a:NoSchedule\n").manifest.empty());  // a node
  CHECK(described_pod("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.").manifest.empty());
}

TEST_CASE("of several pods the first counts") {
  const std::string pod = "Name: a\nContainers:\n  c:\n    Image: x\n";
  CHECK(described_pod(pod + "\n\nName: b\nContainers:\n").manifest.find("\"b\"") ==
        std::string::npos);
}

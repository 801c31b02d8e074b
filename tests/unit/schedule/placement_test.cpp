#include "compiler/schedule/placement.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/scope/build_scope_model.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// A scope of one text: everything in it belongs together.
struct Scene {
  explicit Scene(std::string text) : parsed(std::move(text)) {
    std::vector<const Document*> documents;
    for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
    model = build_scope_model(parsed.sources(), settings, documents);
  }
  [[nodiscard]] Placement place(
      ExtendedResourceToleration admission = ExtendedResourceToleration::off) const {
    std::vector<const Workload*> workloads;
    for (const Workload& workload : model.workloads) workloads.push_back(&workload);
    return {workloads, model.cluster, admission};
  }

  test::Parsed parsed;
  Settings settings;
  ScopeModel model;
};

constexpr const char* gpu_pod = R"(
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: x
    resources: {limits: {nvidia.com/gpu: 1}}
---
)";

}  // namespace

TEST_CASE("nodes that no workload can tell apart are one class") {
  const Scene scene(std::string(gpu_pod) + R"(
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a}}, status: {allocatable: {nvidia.com/gpu: 8}}}
- {apiVersion: v1, kind: Node, metadata: {name: b, labels: {kubernetes.io/hostname: b}}, status: {allocatable: {nvidia.com/gpu: 8}}}
- {apiVersion: v1, kind: Node, metadata: {name: c}, status: {allocatable: {cpu: 8}}}
)");
  const Placement placement = scene.place();
  REQUIRE(placement.classes().size() == 2);
  CHECK(placement.classes()[0].pools == std::vector<std::size_t>{0, 1});
  const Placement::Outlook outlook = placement.outlook(0);
  CHECK(outlook.best == Ternary::yes);
  CHECK(outlook.fitting == 2);
  CHECK(outlook.refusing == 1);
}

TEST_CASE("a pool that does not say what it offers leaves the verdict open") {
  const Scene scene(std::string(gpu_pod) + R"(
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: c}
nodeGroups:
- {name: gpu, instanceType: p3.2xlarge}
)");
  const Placement placement = scene.place();
  CHECK(placement.fits(0, 0) == Ternary::unknown);
}

TEST_CASE("a taint that a pool declares keeps a pod out whatever else is open") {
  const Scene scene(std::string(gpu_pod) + R"(
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: c}
nodeGroups:
- {name: gpu, instanceType: p3.2xlarge, taints: {nvidia.com/gpu: "true:NoSchedule"}}
)");
  SECTION("without the admission plugin") {
    const Assessment assessment = scene.place().assess(0, 0);
    CHECK(assessment.fits == Ternary::no);
    REQUIRE(!assessment.reasons.empty());
    CHECK(assessment.reasons.back().detail == "nvidia.com/gpu=true:NoSchedule");
  }
  SECTION("with the admission plugin") {
    CHECK(scene.place(ExtendedResourceToleration::on).fits(0, 0) == Ternary::unknown);
  }
  SECTION("where the admission plugin may run") {
    CHECK(scene.place(ExtendedResourceToleration::unknown).fits(0, 0) == Ternary::unknown);
  }
}

TEST_CASE("a placeholder in a toleration is never held against a pod") {
  const Scene scene(R"(
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: main, image: x}]
  tolerations: [{key: "{{ .Values.key }}", operator: Exists}]
---
apiVersion: v1
kind: Node
metadata: {name: a}
spec: {taints: [{key: gpu, effect: NoSchedule}]}
)");
  CHECK(scene.place().fits(0, 0) == Ternary::unknown);
}

TEST_CASE("a taint that GKE adds by itself does not count as certain") {
  const Scene scene(std::string(gpu_pod) + R"(
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: gpu}
spec:
  nodeConfig:
    guestAccelerator: [{type: nvidia-tesla-a100, count: 1}]
)");
  CHECK(scene.place().fits(0, 0) == Ternary::unknown);
}

TEST_CASE("Karpenter's own semantics decide over its pools") {
  const Scene scene(R"(
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: main, image: x}]
  nodeSelector: {team: ml}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
)");
  const Assessment assessment = scene.place().assess(0, 0);
  CHECK(assessment.fits == Ternary::no);
  REQUIRE(assessment.reasons.size() == 1);
  CHECK(assessment.reasons[0].kind == ReasonKind::node_selector);
  CHECK(assessment.reasons[0].detail == "undefined-label:team");
}

TEST_CASE("pods of a DaemonSet tolerate the conditions of their nodes") {
  const Scene scene(R"(
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin}
spec:
  selector: {matchLabels: {app: p}}
  template:
    metadata: {labels: {app: p}}
    spec: {containers: [{name: main, image: x}]}
---
apiVersion: v1
kind: Node
metadata: {name: a}
spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
)");
  CHECK(scene.place().fits(0, 0) == Ternary::yes);
}

}  // namespace gpulint

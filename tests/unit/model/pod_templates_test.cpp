#include "compiler/model/kinds/pod_templates.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<std::string> names_in(const std::string& text) {
  const test::Parsed parsed(text);
  std::vector<std::string> names;
  for (const Workload& workload : find_pod_templates(find_objects(parsed.root()))) {
    names.push_back(workload.display_name());
  }
  return names;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("pods are found in controllers, jobs and lists") {
  CHECK(names_in(R"(
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ml}, spec: {containers: [{name: c}]}}
- apiVersion: batch/v1
  kind: CronJob
  metadata: {name: b}
  spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: i}]}}}}}
)") == Paths{"Pod/ml/a", "CronJob/default/b"});
}

TEST_CASE("items of typed lists take their kind from the list") {
  CHECK(names_in(R"(
apiVersion: v1
kind: PodList
items:
- {metadata: {name: a}, spec: {containers: [{name: c}]}}
)") == Paths{"Pod/default/a"});
}

TEST_CASE("custom resources count, each pod under its role") {
  CHECK(names_in(R"(
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: r}
spec:
  rayClusterSpec:
    headGroupSpec: {template: {spec: {containers: [{name: h}]}}}
    workerGroupSpecs:
    - groupName: gpu
      template: {spec: {containers: [{name: w}]}}
  submitterPodTemplate: {spec: {containers: [{name: s}]}}
)") == Paths{"RayJob/default/r/head", "RayJob/default/r/worker/gpu", "RayJob/default/r/submitter"});
  CHECK(names_in(R"(
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {generateName: m-}
spec:
  mpiReplicaSpecs:
    Launcher: {template: {spec: {containers: [{name: l}]}}}
    Worker: {template: {spec: {containers: [{name: w}]}}}
)") == Paths{"MPIJob/default/m-*/Launcher", "MPIJob/default/m-*/Worker"});
  CHECK(names_in(R"(
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: l}
spec:
  leaderWorkerTemplate:
    leaderTemplate: {spec: {containers: [{name: c}]}}
    workerTemplate: {spec: {containers: [{name: c}]}}
)") == Paths{"LeaderWorkerSet/default/l/leader", "LeaderWorkerSet/default/l/worker"});
}

TEST_CASE("workflows, model servers and Spark make pods without a container list") {
  CHECK(names_in(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  tolerations: [{key: gpu, operator: Exists}]
  templates:
  - {name: train, container: {image: i, resources: {limits: {nvidia.com/gpu: 1}}}}
  - {name: dag, dag: {tasks: []}}
)") == Paths{"Workflow/default/w/train"});
  CHECK(names_in(R"(
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: s}
spec: {predictor: {model: {modelFormat: {name: huggingface}, resources: {limits: {nvidia.com/gpu: 1}}}}}
)") == Paths{"InferenceService/default/s/predictor"});
}

TEST_CASE("a workflow's tolerations hold for templates without their own") {
  const test::Parsed parsed(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  tolerations: [{key: gpu, operator: Exists}]
  templates:
  - {name: train, container: {image: i}}
)");
  const std::vector<Workload> workloads = find_pod_templates(find_objects(parsed.root()));
  REQUIRE(workloads.size() == 1);
  REQUIRE(workloads[0].pod.tolerations.size() == 1);
  CHECK(workloads[0].pod.tolerations[0].key.equals("gpu"));
}

TEST_CASE("what another object adds to a pod is left open") {
  const test::Parsed parsed(R"(
apiVersion: tekton.dev/v1
kind: Task
metadata: {name: t}
spec: {steps: [{name: s, image: i, computeResources: {limits: {nvidia.com/gpu: 1}}}]}
)");
  const std::vector<Workload> workloads = find_pod_templates(find_objects(parsed.root()));
  REQUIRE(workloads.size() == 1);
  CHECK(workloads[0].pod.tolerations_opaque);
  REQUIRE(workloads[0].pod.containers.size() == 1);
  CHECK(workloads[0].pod.containers[0].resources.limits.size() == 1);
}

TEST_CASE("nothing else is taken for a pod") {
  CHECK(names_in("{image: {repository: x}, containers: 3, resources: {}}").empty());
  CHECK(names_in(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: c}
spec: {versions: [{schema: {openAPIV3Schema: {properties: {containers: {type: array}}}}}]}
)")
            .empty());
}

TEST_CASE("containers keep their kind") {
  const test::Parsed parsed(R"(
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  initContainers: [{name: i}, {name: s, restartPolicy: Always}]
  containers: [{name: c}]
  ephemeralContainers: [{name: e}]
)");
  const std::vector<Workload> workloads = find_pod_templates(find_objects(parsed.root()));
  REQUIRE(workloads.size() == 1);
  std::vector<ContainerKind> kinds;
  for (const Container& container : workloads[0].pod.containers) kinds.push_back(container.kind);
  CHECK(kinds == std::vector<ContainerKind>{ContainerKind::init, ContainerKind::sidecar,
                                            ContainerKind::main, ContainerKind::ephemeral});
}

TEST_CASE("scalars read as the API server decodes them") {
  const test::Parsed parsed(R"(
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  nodeSelector: {a: yes, b: "yes", c: ~, d: "${POOL}"}
  containers: [{name: c, resources: {limits: {nvidia.com/gpu: 010, cpu: ~, memory: true}}}]
)");
  const PodSpec pod = find_pod_templates(find_objects(parsed.root())).at(0).pod;
  REQUIRE(pod.node_selector.size() == 4);
  CHECK(pod.node_selector[0].value.is_mistyped());
  CHECK(pod.node_selector[1].value.equals("yes"));
  CHECK(pod.node_selector[2].value.equals(""));
  CHECK(pod.node_selector[3].value.is_opaque());
  const std::vector<ResourceEntry>& limits = pod.containers.at(0).resources.limits;
  REQUIRE(limits.size() == 3);
  CHECK(limits[0].amount.value().value() == 8);
  CHECK(limits[1].amount.value().is_zero());
  CHECK(limits[2].amount.is_mistyped());
}

TEST_CASE("a template that several roles share makes a pod of each, with what is around its use") {
  const test::Parsed parsed(R"(
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: p}
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, template: &t {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}}
    Worker: {replicas: 3, template: *t}
)");
  const std::vector<Workload> workloads = find_pod_templates(find_objects(parsed.root()));
  REQUIRE(workloads.size() == 2);
  CHECK(workloads[0].display_name() == "PyTorchJob/default/p/Master");
  CHECK(workloads[1].display_name() == "PyTorchJob/default/p/Worker");
  CHECK(!workloads[0].use);
  REQUIRE(workloads[1].use);
  CHECK(workloads[1].use.is_alias());
  CHECK(workloads[1].use.key().text() == "template");
  CHECK(workloads[1].template_node == workloads[0].template_node);
  CHECK(workloads[1].pod.node == workloads[0].pod.node);
  REQUIRE(workloads[1].labels.size() == 1);
  REQUIRE(workloads[1].around.size() == 4);
  CHECK(workloads[1].around.front().get("replicas").text() == "3");
  CHECK(workloads[1].around.back() == workloads[1].object);
}

TEST_CASE("pods are found through aliases and merge keys wherever on the way they stand") {
  CHECK(names_in(R"(
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {name: m}
spec:
  mpiReplicaSpecs:
    Launcher: &l {replicas: 1, template: {spec: &s {containers: [{name: c}]}}}
    Worker: {template: {metadata: {labels: {a: b}}, spec: *s}}
    Merged: {<<: *l, replicas: 2}
    Aliased: *l
    Own: {<<: *l, template: {spec: {containers: [{name: d}]}}}
)") == Paths{"MPIJob/default/m/Launcher", "MPIJob/default/m/Worker", "MPIJob/default/m/Merged",
             "MPIJob/default/m/Aliased", "MPIJob/default/m/Own"});
  CHECK(names_in(R"(
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: r}
spec:
  workerGroupSpecs:
  - {groupName: a, template: &t {spec: {containers: [{name: c}]}}}
  - {groupName: b, template: *t}
  - &g {groupName: c, template: *t}
  - *g
)") == Paths{"RayCluster/default/r/worker/a", "RayCluster/default/r/worker/b",
             "RayCluster/default/r/worker/c", "RayCluster/default/r/worker/c"});
}

TEST_CASE("what is written beside an object's fields to be shared is no pod of its own") {
  CHECK(names_in(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j}
x-pod: &p {containers: [{name: c}]}
spec: {template: {spec: *p}}
)") == Paths{"Job/default/j"});
  CHECK(names_in(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j}
x-pod: {containers: [{name: c}]}
)") == Paths{"Job/default/j/x-pod"});
}

TEST_CASE("aliases of aliases of templates come to an end") {
  std::string text =
      "kind: A\nmetadata: {name: a}\nspec:\n  l0: &l0 {spec: {containers: [{name: c}]}}\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*l" + std::to_string(i - 1);
    text += "  l" + std::to_string(i) + ": &l" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += before + ", ";
    text += "]\n";
  }
  CHECK(names_in(text).size() < 50'000);
}

}  // namespace gpulint

// Pods that operators make of fields of their own. What they make of them is said where each is
// read; the figures here follow from that.
#include "compiler/model/kinds/operator_pods.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/ir/field_path.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/kinds/completed_pods.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/kinds/resource_parts.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<Workload> pods_in(const test::Parsed& parsed) {
  std::vector<Workload> pods = find_pod_templates(find_objects(parsed.root()));
  merge_runtimes(pods);
  return pods;
}

[[nodiscard]] std::string selector_of(const Workload& workload) {
  std::string text;
  for (const LabelEntry& entry : workload.pod.node_selector) {
    text += entry.key.value + "=" + entry.value.value_or("?") + " ";
  }
  return text;
}

[[nodiscard]] std::string limits_of(const Workload& workload) {
  std::string text;
  for (const ResourceEntry& entry : workload.pod.containers.at(0).resources.limits) {
    text += entry.name.value + "=" + std::to_string(entry.amount.value().value()) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("templates of Argo have defaults, the workflow's fields and those written inline") {
  const test::Parsed parsed(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  nodeSelector: {pool: gpu}
  templateDefaults:
    tolerations: [{key: nvidia.com/gpu, operator: Exists}]
  templates:
  - name: main
    dag: {tasks: [{name: a, inline: {container: {image: i}}}, {name: b, template: own}]}
  - name: own
    nodeSelector: {pool: big}
    script: {image: i, source: x}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].display_name() == "Workflow/default/w/a");
  CHECK(selector_of(pods[0]) == "pool=gpu ");
  CHECK(pods[0].pod.tolerations.size() == 1);
  CHECK(selector_of(pods[1]) == "pool=big ");
}

TEST_CASE("what runs a template of Argo may hand on where it runs") {
  const test::Parsed parsed(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  templates:
  - name: main
    tolerations: [{key: nvidia.com/gpu, operator: Exists}]
    steps: [[{name: a, template: work}]]
  - name: work
    container: {image: i}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 1);
  CHECK(pods[0].pod.tolerations_opaque);
  CHECK_FALSE(pods[0].pod.node_selector_opaque);
}

TEST_CASE("Spark's pods have the application's selector and what sparkConf asks for") {
  const test::Parsed parsed(R"(
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: s}
spec:
  nodeSelector: {pool: gpu}
  sparkConf:
    spark.executor.resource.gpu.amount: "2"
    spark.executor.resource.gpu.vendor: nvidia.com
    spark.kubernetes.executor.node.selector.disk: ssd
    spark.kubernetes.driver.podTemplateFile: /x.yaml
  driver: {cores: 1}
  executor: {cores: 1}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 2);
  CHECK(selector_of(pods[0]) == "pool=gpu ");
  CHECK(pods[0].pod.tolerations_opaque);
  CHECK(selector_of(pods[1]) == "disk=ssd pool=gpu ");
  CHECK(limits_of(pods[1]) == "nvidia.com/gpu=2 ");
  CHECK_FALSE(pods[1].pod.tolerations_opaque);
}

TEST_CASE("a NIMService's resources are its container's, a NIMCache asks for no GPU") {
  const test::Parsed parsed(R"(
apiVersion: v1
kind: List
items:
- apiVersion: apps.nvidia.com/v1alpha1
  kind: NIMService
  metadata: {name: n}
  spec:
    image: {repository: r, tag: t}
    nodeSelector: {pool: gpu}
    resources: {limits: {nvidia.com/gpu: 2}}
- apiVersion: apps.nvidia.com/v1alpha1
  kind: NIMCache
  metadata: {name: c}
  spec: {resources: {cpu: 2}, tolerations: [{operator: Exists}]}
- apiVersion: apps.nvidia.com/v1alpha1
  kind: NIMPipeline
  metadata: {name: p}
  spec: {services: [{name: llm, spec: {resources: {limits: {nvidia.com/gpu: 1}}}}]}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 3);
  CHECK(limits_of(pods[0]) == "nvidia.com/gpu=2 ");
  CHECK(selector_of(pods[0]) == "pool=gpu ");
  CHECK(pods[0].pod.pod_resources.limits.empty());
  CHECK(limits_of(pods[1]).empty());
  CHECK(pods[1].pod.tolerations.size() == 1);
  CHECK(pods[2].display_name() == "NIMPipeline/default/p/llm");
}

TEST_CASE("services of Dynamo count GPUs in their own words") {
  const test::Parsed parsed(R"(
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: d}
spec:
  services:
    Worker:
      resources: {limits: {gpu: "4"}}
      extraPodSpec:
        nodeSelector: {pool: gpu}
        mainContainer: {image: i}
    Intel:
      resources: {limits: {gpu: "1", gpuType: gpu.intel.com/xe}}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].role == "Worker");
  CHECK(limits_of(pods[0]) == "nvidia.com/gpu=4 ");
  CHECK(selector_of(pods[0]) == "pool=gpu ");
  CHECK(limits_of(pods[1]) == "gpu.intel.com/xe=1 ");
}

TEST_CASE("a TrainJob's trainer is its runtime's pod with the job's resources and overrides") {
  const test::Parsed parsed(R"(
apiVersion: v1
kind: List
items:
- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata: {name: t}
  spec:
    runtimeRef: {name: torch}
    trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 2}}}
    podTemplateOverrides:
    - targetJobs: [{name: node}]
      spec: {nodeSelector: {pool: gpu}}
    - targetJobs: [{name: model-initializer}]
      spec: {nodeSelector: {pool: cpu}}
- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: ClusterTrainingRuntime
  metadata: {name: torch}
  spec:
    template:
      spec:
        replicatedJobs:
        - name: node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec:
              template:
                spec:
                  tolerations: [{key: nvidia.com/gpu, operator: Exists}]
                  containers: [{name: node, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]
- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata: {name: other}
  spec: {runtimeRef: {name: not-given}, trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}}
)");
  const std::vector<Workload> pods = pods_in(parsed);
  REQUIRE(pods.size() == 3);
  CHECK(limits_of(pods[0]) == "nvidia.com/gpu=2 ");
  CHECK(selector_of(pods[0]) == "pool=gpu ");
  CHECK(pods[0].pod.tolerations.size() == 1);
  CHECK_FALSE(pods[0].pod.tolerations_opaque);
  CHECK(pods[1].pod.node_selector_opaque);  // of the runtime: its jobs may add to it
  CHECK(pods[2].pod.tolerations_opaque);
}

TEST_CASE("custom resources of unknown kinds say of pods what stands in the API's forms") {
  const test::Parsed parsed(R"(
apiVersion: inference.example.com/v1
kind: Model
metadata: {name: m}
spec:
  engine:
    nodeSelector: {pool: gpu}
    resources: {limits: {nvidia.com/gpu: 1}}
  resources: {gpu: big}
)");
  const std::vector<Workload> parts = find_resource_parts(find_objects(parsed.root()));
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].display_name() == "Model/default/m/engine");
  CHECK(selector_of(parts[0]) == "pool=gpu ");
  CHECK(parts[0].pod.tolerations_opaque);
}

TEST_CASE("objects that choose nodes, hold other objects or values make no such pods") {
  for (const std::string group : {"kueue.x-k8s.io/v1beta1", "kyverno.io/v1", "karpenter.sh/v1",
                                  "node.k8s.io/v1", "apps/v1", "helm.toolkit.fluxcd.io/v2"}) {
    const test::Parsed parsed("{apiVersion: " + group +
                              ", kind: K, spec: {a: {nodeSelector: {pool: gpu}}}}");
    CHECK(find_resource_parts(find_objects(parsed.root())).empty());
  }
}

TEST_CASE("a path has keys, items of lists, values of mappings, and keys with dots") {
  const test::Parsed parsed("{a: [{b: 1}, {b: 2}], m: {x: {b: 3}, y.z/w: {b: 4}}}\n");
  const auto at = [&](std::string_view path) {
    std::string found;
    for_each_at(parsed.root(), path, [&](Node node) { found += node.text(); });
    return found;
  };
  CHECK(at("a[].b") == "12");
  CHECK(at("m[*].b") == "34");
  CHECK(at("m[y.z/w].b") == "4");
  CHECK(at("a.b").empty());
  CHECK(at("m.none[].b").empty());
  CHECK(first_at(parsed.root(), "a[].b").text() == "1");
  for (const char* path : {"a", "a.b", "a[].b", "a[*]", "a[b.c/d].e"}) CHECK(is_field_path(path));
  for (const char* path : {"", ".", "a.", "a..b", "a[", "a[b", "[a]", "a]", "a[]b"}) {
    CHECK_FALSE(is_field_path(path));
  }
}

}  // namespace gpulint

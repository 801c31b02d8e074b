#include "compiler/schedule/placement_analysis.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/model/read_pod.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/schedule/contradiction.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/mark_unknowns.h"
#include "compiler/schedule/pool_accelerators.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// A scope of one text.
struct AnalyzedScene {
  explicit AnalyzedScene(std::string text, Settings declared = {})
      : parsed(std::move(text)), settings(std::move(declared)) {
    std::vector<const Document*> documents;
    for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
    model = build_scope_model(parsed.sources(), settings, documents);
    placement = analyze_placement(model);
  }
  AnalyzedScene(const AnalyzedScene&) = delete;
  AnalyzedScene& operator=(const AnalyzedScene&) = delete;

  /// The kinds of the causes, in order.
  [[nodiscard]] std::vector<std::string> kinds() const {
    static const std::vector<std::string> names = {"missing", "unmatched", "exceeded", "taint",
                                                   "none"};
    std::vector<std::string> kinds;
    for (const Cause& cause : placement.causes) kinds.push_back(names[cause.what.index()]);
    return kinds;
  }

  test::Parsed parsed;
  Settings settings;
  ScopeModel model;
  PlacementAnalysis placement;
};

[[nodiscard]] std::string node(const std::string& name, const std::string& more,
                               const std::string& allocatable = "nvidia.com/gpu: 2") {
  return fmt::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{{}}}}}, status: "
      "{{allocatable: "
      "{{{}}}}}}}\n---\n",
      name, more, allocatable);
}

[[nodiscard]] std::string tainted(const std::string& name, const std::string& taints,
                                  const std::string& allocatable = "nvidia.com/gpu: 2") {
  return fmt::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, spec: {{taints: [{}]}}, status: "
      "{{allocatable: {{{}}}}}}}\n---\n",
      name, taints, allocatable);
}

[[nodiscard]] std::string pod(const std::string& spec,
                              const std::string& limits = "nvidia.com/gpu: 1",
                              const std::string& name = "train") {
  return fmt::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}}}, spec: {{{} containers: [{{name: main, "
      "image: x, resources: {{limits: {{{}}}}}}}]}}}}\n---\n",
      name, spec, limits);
}

const std::string dedicated = "{key: dedicated, value: ml, effect: NoSchedule}";

using Kinds = std::vector<std::string>;

}  // namespace

TEST_CASE("nothing is said while no GPU node is known") {
  CHECK(AnalyzedScene(node("cpu", "", "cpu: 4") + pod("")).kinds() == Kinds{});
  CHECK(AnalyzedScene(node("cpu", "", "cpu: 4") + pod("nodeSelector: {pool: gpu},")).kinds() ==
        Kinds{});
}

TEST_CASE("nothing is said while one node may take the pod") {
  const std::string eksctl = R"(
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: x, region: r}
nodeGroups: [{name: gpu, instanceType: g5.xlarge}]
---
)";
  CHECK(AnalyzedScene(tainted("gpu", dedicated) + eksctl + pod("")).kinds() == Kinds{});
  CHECK(AnalyzedScene(tainted("gpu", dedicated) + pod("")).kinds() == Kinds{"taint"});
}

TEST_CASE("the step that leaves no node names the cause") {
  const std::string nodes = node("a", "pool: a") + node("b", "pool: b", "nvidia.com/gpu: 8") +
                            node("c", "pool: c", "cpu: 8");
  CHECK(AnalyzedScene(nodes + pod("", "amd.com/gpu: 1")).kinds() == Kinds{"missing"});
  CHECK(AnalyzedScene(nodes + pod("nodeSelector: {pool: d},")).kinds() == Kinds{"unmatched"});
  CHECK(AnalyzedScene(nodes + pod("nodeSelector: {pool: c},")).kinds() == Kinds{"none"});
  CHECK(AnalyzedScene(nodes + pod("nodeSelector: {pool: a},", "nvidia.com/gpu: 4")).kinds() ==
        Kinds{"exceeded"});
  CHECK(AnalyzedScene(nodes + pod("nodeSelector: {pool: b},", "nvidia.com/gpu: 4")).kinds() ==
        Kinds{});
}

TEST_CASE("names of instance types say which families a Karpenter pool can make") {
  const auto pool = [](const char* requirement) {
    return fmt::format(
        "{{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {{name: gpu}}, spec: {{template: "
        "{{spec: {{nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: x}}, "
        "requirements: [{}]}}}}}}}}\n---\n",
        requirement);
  };
  const auto select = [](const char* label) {
    return pod(fmt::format("nodeSelector: {{{}}},", label));
  };
  const std::string type = pool(
      "{key: node.kubernetes.io/instance-type, operator: In, values: [p4d.24xlarge, "
      "g5.48xlarge]}");
  CHECK(AnalyzedScene(type + select("karpenter.k8s.aws/instance-family: g5")).kinds() == Kinds{});
  CHECK(AnalyzedScene(type + select("karpenter.k8s.aws/instance-family: g6")).kinds() ==
        Kinds{"unmatched"});
  CHECK(AnalyzedScene(type + select("karpenter.k8s.aws/instance-size: xlarge")).kinds() ==
        Kinds{"unmatched"});
  const std::string family =
      pool("{key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]}");
  CHECK(AnalyzedScene(family + select("node.kubernetes.io/instance-type: g5.xlarge")).kinds() ==
        Kinds{});
  CHECK(AnalyzedScene(family + select("node.kubernetes.io/instance-type: g6.xlarge")).kinds() ==
        Kinds{"unmatched"});
  CHECK(AnalyzedScene(family + select("karpenter.k8s.aws/instance-category: p")).kinds() ==
        Kinds{"unmatched"});
  // Not built as other names are: nothing is read out of them.
  const std::string odd = pool(
      "{key: node.kubernetes.io/instance-type, operator: In, values: [p4d.24xlarge, "
      "u-6tb1.metal]}");
  CHECK(AnalyzedScene(odd + select("karpenter.k8s.aws/instance-family: g6")).kinds() == Kinds{});
}

TEST_CASE(
    "the cause is the label that selects a node without the resource, if no node meets "
    "everything") {
  const std::string nodes = node("a", "pool: a") + node("c", "pool: c", "cpu: 8");
  const AnalyzedScene scene(
      nodes + pod("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                  "{nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: Exists}, "
                  "{key: pool, operator: In, values: [c]}]}]}}},"));
  REQUIRE(scene.kinds() == Kinds{"none"});
  CHECK(scene.placement.causes.front().pool->name == "c");
  CHECK(scene.placement.causes.front().demand.text() == "c");
}

TEST_CASE("a taint that every node has is a cause of its own beside a wrong label") {
  const std::string labelled =
      "{apiVersion: v1, kind: Node, metadata: {name: gpu, labels: {gpu-type: a100}}, spec: "
      "{taints: [" +
      dedicated + "]}, status: {allocatable: {nvidia.com/gpu: 2}}}\n---\n";
  const AnalyzedScene scene(labelled + pod("nodeSelector: {gpu-typ: a100},"));
  CHECK(scene.kinds() == Kinds{"unmatched", "taint"});
  CHECK(scene.placement.causes.front().is_fix_verified);
}

TEST_CASE("pods kept off by one line are one cause") {
  std::string text =
      tainted("gpu", dedicated) +
      "x: &t [{key: dedicated, operator: Equal, value: other}]\napiVersion: v1\nkind: "
      "List\nitems:\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(
        "- {{apiVersion: v1, kind: Pod, metadata: {{name: p{}}}, spec: {{tolerations: *t, "
        "containers: "
        "[{{name: m, image: x, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]}}}}\n",
        i);
  }
  const AnalyzedScene scene(text);
  REQUIRE(scene.kinds() == Kinds{"taint"});
  CHECK(scene.placement.causes.front().workloads.size() == 40);
}

TEST_CASE("the admission plugin counts as the cluster is known") {
  const std::string text =
      tainted("gpu", "{key: nvidia.com/gpu, value: present, effect: NoSchedule}") + pod("");
  Settings gke;
  gke.provider = Provider::gke;
  CHECK(AnalyzedScene(text, gke).kinds() == Kinds{});
  Settings generic;
  generic.provider = Provider::generic;
  const AnalyzedScene declared(text, generic);
  CHECK(declared.kinds() == Kinds{"taint"});
  CHECK(declared.placement.admission == ExtendedResourceToleration::off);
  const AnalyzedScene unknown(text);
  REQUIRE(unknown.kinds() == Kinds{"taint"});
  CHECK(unknown.placement.admission == ExtendedResourceToleration::unknown);
  CHECK(std::get<UntoleratedTaint>(unknown.placement.causes.front().what).is_for_admission);
}

TEST_CASE("Karpenter pools whose machines have no GPUs take no GPU pods") {
  const std::string pools = R"(
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec: {template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: d}, requirements: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}]}}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec: {template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: d}, requirements: [{key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]}, {key: karpenter.k8s.aws/instance-gpu-manufacturer, operator: In, values: [nvidia]}], taints: [{key: dedicated, value: ml, effect: NoSchedule}]}}}
---
)";
  CHECK(AnalyzedScene(pools + pod("")).kinds() == Kinds{"taint"});
  CHECK(AnalyzedScene(pools + pod("tolerations: [{key: dedicated, operator: Exists}],")).kinds() ==
        Kinds{});
}

TEST_CASE("machine types tell whether a pool has accelerators") {
  for (const char* plain : {"m5.large", "c7gn.16xlarge", "hpc7a.12xlarge", "e2-standard-4",
                            "n2-highmem-8", "Standard_D4s_v5"}) {
    CAPTURE(plain);
    CHECK(is_machine_without_accelerators(plain));
  }
  for (const char* other :
       {"g5.xlarge", "p4d.24xlarge", "gr6.4xlarge", "inf2.xlarge", "trn1.2xlarge", "a2-highgpu-1g",
        "n1-standard-8", "g2-standard-4", "Standard_NC6s_v3", "unknown", ""}) {
    CAPTURE(other);
    CHECK_FALSE(is_machine_without_accelerators(other));
  }
}

TEST_CASE("requirements that exclude each other are found where no term is left") {
  const auto of = [](const std::string& spec) {
    const test::Parsed parsed(spec);
    return find_contradiction(read_pod_spec(parsed.root())).has_value();
  };
  const auto terms = [](const std::string& list) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
           "{nodeSelectorTerms: [" +
           list + "]}}}";
  };
  CHECK(
      of(terms("{matchExpressions: [{key: a, operator: In, values: [x]}, {key: a, operator: NotIn, "
               "values: [x, z]}]}")));
  CHECK(of(
      terms("{matchExpressions: [{key: a, operator: Exists}, {key: a, operator: DoesNotExist}]}")));
  CHECK(of("nodeSelector: {a: x}\n" +
           terms("{matchExpressions: [{key: a, operator: DoesNotExist}]}")));
  CHECK(
      of(terms("{matchExpressions: [{key: a, operator: Lt, values: ['5']}, {key: a, operator: Gt, "
               "values: ['4']}]}")));
  CHECK_FALSE(
      of(terms("{matchExpressions: [{key: a, operator: Lt, values: ['6']}, {key: a, operator: Gt, "
               "values: ['4']}]}")));
  CHECK_FALSE(
      of(terms("{matchExpressions: [{key: a, operator: NotIn, values: [x]}, {key: a, operator: "
               "DoesNotExist}]}")));
  CHECK_FALSE(
      of("nodeSelector: {a: x}\n" + terms("{matchExpressions: [{key: a, operator: DoesNotExist}]}, "
                                          "{matchExpressions: [{key: a, operator: Exists}]}")));
}

TEST_CASE("DaemonSets that GPU nodes need are told by name, image and command") {
  const auto role_of = [](const std::string& name, const std::string& image) {
    const AnalyzedScene scene(fmt::format(
        "{{apiVersion: apps/v1, kind: DaemonSet, metadata: {{name: {}}}, spec: {{selector: {{}}, "
        "template: {{spec: {{containers: [{{name: c, image: '{}'}}]}}}}}}}}",
        name, image));
    const auto daemon = find_gpu_daemon(scene.model.workloads.front());
    return daemon ? fmt::format("{} {}", to_string(daemon->role), daemon->vendor) : std::string();
  };
  CHECK(role_of("nvidia-device-plugin", "example.com/x:1") == "device plugin nvidia.com");
  CHECK(role_of("plugin", "rocm/k8s-device-plugin") == "device plugin amd.com");
  CHECK(role_of("dcgm-exporter", "nvcr.io/nvidia/k8s/dcgm-exporter:4") ==
        "GPU monitoring nvidia.com");
  CHECK(role_of("rdma-shared-dp", "nvcr.io/nvidia/cloud-native/k8s-rdma-shared-dev-plugin") ==
        "network devices ");
  CHECK(role_of("sriov-device-plugin",
                "ghcr.io/k8snetworkplumbingwg/sriov-network-device-plugin") == "network devices ");
  CHECK(role_of("nfd-worker", "registry.k8s.io/nfd/node-feature-discovery:v0.16.1") ==
        "node feature discovery ");
  CHECK(role_of("nfd-master", "registry.k8s.io/nfd/node-feature-discovery:v0.16.1") == "");
  CHECK(role_of("intel-gpu-plugin", "intel/intel-gpu-plugin:0.28.0") ==
        "device plugin gpu.intel.com");
  CHECK(role_of("nvidia-mig-manager", "nvcr.io/nvidia/cloud-native/k8s-mig-manager:v0.5") ==
        "MIG manager nvidia.com");
  CHECK(role_of("dra-driver-nvidia-gpu-kubelet-plugin", "nvcr.io/nvidia/k8s-dra-driver-gpu") ==
        "DRA driver nvidia.com");
  CHECK(role_of("node-exporter", "prom/node-exporter") == "");
}

}  // namespace gpulint

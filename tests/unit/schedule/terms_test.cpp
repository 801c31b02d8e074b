#include "compiler/schedule/terms.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/scope/build_scope_model.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

struct Cell {
  explicit Cell(std::string text) : parsed(std::move(text)) {
    std::vector<const Document*> documents;
    for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
    model = build_scope_model(parsed.sources(), settings, documents);
  }

  /// What keeps the first workload off the first class of nodes; the text below `demanded`, too.
  [[nodiscard]] std::vector<std::string> lines() const {
    const Placement placement({&model.workloads.front()}, model.cluster,
                              ExtendedResourceToleration::off);
    std::vector<std::string> lines;
    const NodeClass& nodes = placement.classes().front();
    for (const Reason& reason : placement.assess(0, 0).reasons) {
      for (const Term& term : terms_of(reason, placement.pod(0), nodes)) {
        lines.push_back(std::string(to_string(term.kind)) + ": " + demand_text(term) + ", actual " +
                        term.actual.value_or("none") + ", demanded at " + line_of(term.demanded) +
                        ", found at " + line_of(term.found));
      }
    }
    return lines;
  }

  [[nodiscard]] std::string line_of(Node node) const {
    if (!node) return "none";
    const Span span = node.key_span();
    return std::to_string(parsed.sources().file(span).position(span.begin).line);
  }

  test::Parsed parsed;
  Settings settings;
  ScopeModel model;
};

}  // namespace

TEST_CASE("each label of a nodeSelector that fails is a term with what the node has") {
  const Cell cell(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector:
    gpu: a100
    zone: a
    pool: big
  containers: [{name: main, image: x}]
---
apiVersion: v1
kind: Node
metadata:
  name: n
  labels:
    gpu: t4
    zone: a
status: {allocatable: {cpu: 8}}
)");
  CHECK(cell.lines() == std::vector<std::string>{
                            "node-selector: gpu=a100, actual t4, demanded at 6, found at 16",
                            "node-selector: pool=big, actual none, demanded at 8, found at 15"});
}

TEST_CASE("of alternative terms the one that fails at the fewest labels is told") {
  const Cell cell(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: gpu, operator: In, values: [a100, h100]}
          - {key: zone, operator: In, values: [b]}
        - matchExpressions:
          - {key: zone, operator: In, values: [a]}
          - {key: slow, operator: DoesNotExist}
  containers: [{name: main, image: x}]
---
apiVersion: v1
kind: Node
metadata: {name: n, labels: {gpu: t4, zone: a, slow: "true"}}
status: {allocatable: {cpu: 8}}
)");
  CHECK(cell.lines() == std::vector<std::string>{"node-affinity: slow DoesNotExist, actual true, "
                                                 "demanded at 14, found at 19"});
}

TEST_CASE("amounts and taints are terms, too") {
  const Cell cell(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: x
    resources:
      limits:
        cpu: 1500m
        memory: 64Gi
        nvidia.com/gpu: 2
---
apiVersion: v1
kind: Node
metadata: {name: n}
spec:
  taints:
  - {key: sku, value: gpu, effect: NoSchedule}
  - {key: dedicated, effect: NoExecute}
status:
  allocatable:
    cpu: 1
    memory: 32Gi
)");
  CHECK(cell.lines() ==
        std::vector<std::string>{
            "insufficient-resource: 1500m cpu, actual 1, demanded at 10, found at 23",
            "insufficient-resource: 64Gi memory, actual 32Gi, demanded at 11, found at 24",
            "insufficient-resource: 2 nvidia.com/gpu, actual none, demanded at 12, found at 14",
            ("untolerated-taint: sku Equal [gpu], actual sku=gpu:NoSchedule, demanded at 4, "
             "found at 19"),
            ("untolerated-taint: dedicated Exists, actual dedicated=:NoExecute, demanded at 4, "
             "found at 20")});
}

TEST_CASE("the demands of Karpenter's pools are told with what the pool leaves open") {
  const Cell cell(R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector:
    topology.kubernetes.io/zone: c
  containers: [{name: main, image: x}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      requirements:
      - {key: topology.kubernetes.io/zone, operator: In, values: [a, b]}
)");
  CHECK(cell.lines() ==
        std::vector<std::string>{"node-selector: topology.kubernetes.io/zone=c, actual a or b, "
                                 "demanded at 6, found at 16"});
}

}  // namespace gpulint

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/scope/build_scope_model.h"
#include "compiler/policy/node_facts.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint::policy {
namespace {

[[nodiscard]] Facts facts_of(std::string text, const Settings& settings = {}) {
  const test::Parsed parsed(std::move(text));
  std::vector<const Document*> documents;
  for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
  return find_facts(Corpus{build_scope_model(parsed.sources(), settings, documents)});
}

[[nodiscard]] std::string node(const std::string& name, const std::string& labels = "",
                               const std::string& taints = "",
                               const std::string& allocatable = "nvidia.com/gpu: 2, cpu: 15900m") {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels +
         "}}, spec: {taints: [" + taints + "]}, status: {allocatable: {" + allocatable +
         "}}}\n---\n";
}

}  // namespace

TEST_CASE("nodes alike but for what is each one's own are one pool") {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    text +=
        node("gpu-" + number, "kubernetes.io/hostname: gpu-" + number + ", rack: r" + number +
                                  ", pool: a, feature.node.kubernetes.io/x: \"" + number + "\"");
  }
  const Facts facts = facts_of(text);
  REQUIRE(facts.pools.size() == 1);
  CHECK(facts.pools.front().labels.size() == 1);
  CHECK(facts.open_labels.contains("rack"));  // what is left out keeps nobody off
  CHECK(facts.pools.front().resources.at("cpu") == 15.9);
  CHECK(facts.knows_gpu_nodes);
}

TEST_CASE("order and names of nodes decide nothing") {
  const std::string a = node("a", "pool: a");
  const std::string b = node("b", "pool: b");
  const std::string c = node("1", "pool: a");
  CHECK(cel_of(facts_of(a + b)) == cel_of(facts_of(c + b + a)));
}

TEST_CASE("labels of a few nodes tell them apart") {
  const Facts facts = facts_of(node("a", "rack: r1") + node("b", "rack: r2"));
  CHECK(facts.pools.size() == 2);
  CHECK_FALSE(facts.open_labels.contains("rack"));
}

TEST_CASE("states that pass and soft taints are no facts") {
  const Facts facts =
      facts_of(node("a", "",
                    "{key: node.kubernetes.io/not-ready, effect: NoSchedule}, {key: x, effect: "
                    "PreferNoSchedule}, {key: owner, value: \"1\", effect: NoExecute}, {key: yes, "
                    "effect: NoExecute}"));
  REQUIRE(facts.pools.size() == 1);
  REQUIRE(facts.pools.front().taints.size() == 1);
  CHECK(facts.pools.front().taints.front().key == "owner");
  CHECK(facts.pools.front().taints.front().value == "1");
  CHECK(facts.pools.front().taints.front().effect == "NoExecute");
}

TEST_CASE("what is not known is left open") {
  const Facts facts = facts_of(
      "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: gpus}, spec: {template: "
      "{spec: {requirements: [{key: karpenter.k8s.aws/instance-gpu-count, operator: Gt, values: "
      "[\"0\"]}], nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}}}}}\n");
  REQUIRE(facts.pools.size() == 1);
  CHECK(facts.pools.front().open);
  const Facts bare = facts_of("{apiVersion: v1, kind: Node, metadata: {name: a}}\n");
  REQUIRE(bare.pools.size() == 1);
  CHECK(bare.pools.front().more_resources);
  CHECK_FALSE(bare.knows_gpu_nodes);
}

TEST_CASE("labels that kubelets set and no node shows may be there") {
  CHECK(facts_of(node("a")).open_labels.contains("topology.kubernetes.io/zone"));
  CHECK_FALSE(facts_of(node("a", "topology.kubernetes.io/zone: z"))
                  .open_labels.contains("topology.kubernetes.io/zone"));
}

TEST_CASE("what classes of devices stand for any node may offer") {
  const Facts facts =
      facts_of(node("a") +
               "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: "
               "{extendedResourceName: nvidia.com/gpu}}\n");
  CHECK(facts.open_resources.contains("nvidia.com/gpu"));
}

TEST_CASE("the strategy is what all nodes say, and none where they name partitions") {
  CHECK(facts_of(node("a", "nvidia.com/mig.strategy: single")).mig_strategy == "single");
  CHECK(facts_of(node("a", "nvidia.com/mig.strategy: single", "", "nvidia.com/mig-1g.5gb: 7"))
            .mig_strategy.empty());
  CHECK(facts_of(node("a", "nvidia.com/mig.strategy: single") +
                 node("b", "nvidia.com/mig.strategy: mixed"))
            .mig_strategy.empty());
}

TEST_CASE("literals say what facts say") {
  const std::string cel = cel_of(facts_of(node("a", "pool: it's", "{key: x, effect: NoSchedule}")));
  CHECK(cel.find(R"('labels': dyn({'pool': 'it\'s'}))") != std::string::npos);
  CHECK(cel.find("'nvidia.com/gpu': 2.0") != std::string::npos);
  CHECK(cel.find("{'key': 'x', 'value': '', 'effect': 'NoSchedule'}") != std::string::npos);
}

}  // namespace gpulint::policy

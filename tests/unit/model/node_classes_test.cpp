#include "compiler/model/pools/node_classes.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/model/pools/find_pools.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

constexpr const char* usual = "  taints: [{key: nvidia.com/gpu, effect: NoSchedule}]\n";

[[nodiscard]] std::string node(int number, const char* product, const char* spec) {
  return fmt::format(
      "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: node-{0}\n  labels: "
      "{{kubernetes.io/hostname: node-{0}, nvidia.com/gpu.product: {1}}}\nspec:\n{2}"
      "status: {{allocatable: {{nvidia.com/gpu: 1}}}}\n",
      number, product, spec);
}

[[nodiscard]] std::string nodes(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += node(i, "Tesla-T4", usual);
  return text;
}

/// The kinds of one text, which stays alive with them.
struct Kinds {
  explicit Kinds(const std::string& text) : parsed(text) {
    std::vector<Node> roots;
    for (std::size_t i = 0; i < parsed.size(); ++i) roots.push_back(parsed.root(i));
    kinds = find_node_classes(find_pools(roots));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const NodePool& pool : kinds.pools) names.push_back(pool.name);
    return names;
  }
  test::Parsed parsed;
  NodeClasses kinds;
};

using PoolNames = std::vector<std::string>;

}  // namespace

TEST_CASE("nodes of a large cluster that differ in their names only are one kind") {
  const Kinds found(nodes(64));
  CHECK(found.names() == PoolNames{"node-0"});
  CHECK(found.kinds.pools.front().equal_nodes == 64);
  CHECK(found.kinds.own_labels == PoolNames{"kubernetes.io/hostname"});
}

TEST_CASE("a few nodes stay whole, for their labels are no ids") {
  CHECK(Kinds(nodes(63)).names().size() == 63);
}

TEST_CASE("what a pod could ask for or be kept off by makes a kind") {
  const Kinds found(nodes(64) + node(64, "NVIDIA-L4", usual) +
                    node(65, "Tesla-T4", "  taints: []\n") +
                    node(66, "Tesla-T4", "  taints: [{key: nvidia.com/gpu, effect: NoExecute}]\n") +
                    node(67, "Tesla-T4", "  unschedulable: true\n") + node(68, "Tesla-T4", usual));
  CHECK(found.names() == PoolNames{"node-0", "node-64", "node-65", "node-66", "node-67"});
}

TEST_CASE("documents that name a node or an id need every node") {
  const Kinds found(nodes(64));
  CHECK(may_distinguish(found.kinds, "nodeSelector: {kubernetes.io/hostname: node-7}"));
  CHECK(may_distinguish(found.kinds, "spec: {nodeName: node-7}"));
  CHECK(may_distinguish(found.kinds, "matchFields: [{key: metadata.name, operator: Exists}]"));
  CHECK_FALSE(may_distinguish(found.kinds, "nodeSelector: {nvidia.com/gpu.product: Tesla-T4}"));
}

}  // namespace gpulint

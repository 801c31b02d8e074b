#include "compiler/ir/key_path.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "frontend/embedded.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {

TEST_CASE("A path names keys and indices, and quotes keys that hold dots") {
  const test::Parsed parsed("spec: {tolerations: [{key: a}], limits: {nvidia.com/gpu: 1}}\n");
  const Node spec = parsed.root().get("spec");
  CHECK(key_path(spec.get("tolerations").items()[0].get("key")) == "spec.tolerations[0].key");
  CHECK(key_path(spec.at("limits", "nvidia.com/gpu")) == "spec.limits[\"nvidia.com/gpu\"]");
  CHECK(key_path(spec.get("limits").key()) == "spec.limits");
}

TEST_CASE("A path leads to each item of a list, and to the keys of a mapping") {
  const test::Parsed parsed(
      "spec: {groups: [{name: a}, {name: b}, {}], hard: {cpu: 1, pods: 2}, names: [c, d]}\n");
  const auto texts = [&](std::string_view path) {
    std::string all;
    for (const Node node : nodes_at(parsed.root(), path)) all += std::string(node.text()) + " ";
    return all;
  };
  CHECK(texts("spec.groups[].name") == "a b ");
  CHECK(texts("spec.hard{}") == "cpu pods ");
  CHECK(texts("spec.names[]") == "c d ");
  CHECK(nodes_at(parsed.root(), "spec.none[].name").empty());
}

TEST_CASE("The path of embedded text begins with its host's") {
  const test::Parsed parsed(
      "kind: ConfigMap\napiVersion: v1\ndata:\n  k8s.yaml: |\n    plugins:\n      k8s: {a: 1}\n");
  const auto embedded = embedded_documents(parsed.document(), parsed.sources().file(FileId{0}));
  REQUIRE(embedded.size() == 1);
  CHECK(key_path(root(*embedded[0]).at("plugins", "k8s", "a")) ==
        "data[\"k8s.yaml\"]/plugins.k8s.a");
}

}  // namespace gpulint

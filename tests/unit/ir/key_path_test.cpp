#include "compiler/ir/key_path.h"

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

TEST_CASE("The path of embedded text begins with its host's") {
  const test::Parsed parsed(
      "kind: ConfigMap\napiVersion: v1\ndata:\n  k8s.yaml: |\n    plugins:\n      k8s: {a: 1}\n");
  const auto embedded = embedded_documents(parsed.document(), parsed.sources().file(FileId{0}));
  REQUIRE(embedded.size() == 1);
  CHECK(key_path(root(*embedded[0]).at("plugins", "k8s", "a")) ==
        "data[\"k8s.yaml\"]/plugins.k8s.a");
}

}  // namespace gpulint

#include "frontend/embedded.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// The outer text that the value of `nvidia.com/gpu` inside the first embedded document covers.
[[nodiscard]] std::string outer_text_of_gpu(const std::string& data) {
  const test::Parsed parsed("kind: ConfigMap\napiVersion: v1\ndata:\n  c.yaml: " + data);
  const auto embedded = embedded_documents(parsed.document(), parsed.sources().file(FileId{0}));
  if (embedded.empty()) return "nothing";
  return std::string(parsed.sources().text(root(*embedded[0]).get("nvidia.com/gpu").span()));
}

}  // namespace

TEST_CASE("Spans of embedded YAML point into the outer file, in every style") {
  CHECK(outer_text_of_gpu("|\n    nvidia.com/gpu: here\n") == "here");
  CHECK(outer_text_of_gpu("|2\n    \n    x: 1\n    nvidia.com/gpu: here\n") == "here");
  CHECK(outer_text_of_gpu("\"x: 1\\nnvidia.com/gpu: here\"\n") == "here");
  CHECK(outer_text_of_gpu("'x: 1\n\n    nvidia.com/gpu: here'\n") == "here");
  CHECK(outer_text_of_gpu(">\n    x: 1\n\n    nvidia.com/gpu: here\n") == "here");
}

TEST_CASE("Scripts and certificates are no documents") {
  CHECK(outer_text_of_gpu("|\n    #!/bin/sh\n    echo hi\n") == "nothing");
}

TEST_CASE("Files of other kinds are not read, even if they could be") {
  const test::Parsed parsed(
      "kind: ConfigMap\napiVersion: v1\ndata:\n  README.md: |\n    limits:\n      nvidia.com/gpu: "
      "0.5\n");
  CHECK(embedded_documents(parsed.document(), parsed.sources().file(FileId{0})).empty());
}

TEST_CASE("ConfigMaps are read in Lists of any depth, with or without a kind of their own") {
  const std::string map = "data: {a.yaml: 'nvidia.com/gpu: 1'}";
  for (const std::string& text :
       {"kind: List\nitems:\n- {kind: ConfigMap, " + map + "}\n",
        "kind: ConfigMapList\nitems:\n- {" + map + "}\n",
        "kind: List\nitems:\n- kind: ConfigMapList\n  items:\n  - {" + map + "}\n"}) {
    CAPTURE(text);
    const test::Parsed parsed(text);
    CHECK(embedded_documents(parsed.document(), parsed.sources().file(FileId{0})).size() == 1);
  }
}

TEST_CASE("Broken text is kept where Flyte, the device plugin or the MIG manager would read it") {
  const auto kept = [](const std::string& data) {
    const test::Parsed parsed("kind: ConfigMap\ndata:\n  a.yaml: |\n    " + data + "\n");
    return embedded_documents(parsed.document(), parsed.sources().file(FileId{0})).size() == 1;
  };
  CHECK(kept("plugins:\n      k8s: [nvidia.com/gpu"));
  CHECK(kept("version: v1\n    sharing: {gpu"));
  CHECK(kept("{\"mig-configs\": {\"all-disabled\": [gpu"));
  CHECK_FALSE(kept("{\n      // comment\n      plugins: {gpu: true}\n    }"));
  CHECK_FALSE(kept("gpu: see the\n      manual: ["));
  CHECK_FALSE(kept("plugins:\n    ${indent(4, gpu)}\n    ["));
}

}  // namespace gpulint

#include "compiler/model/gitops/helm_values_source.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string release(const std::string& chart, const std::string& rest) {
  return "kind: HelmRelease\nspec: {chart: {spec: {chart: " + chart + "}}, values: {a: 1}" + rest +
         "}\n";
}

}  // namespace

TEST_CASE("a chart's name is the last part of what leads to it") {
  for (const char* chart : {"flyte-binary", "flyteorg/flyte-binary", "./charts/flyte-binary/",
                            "oci://ghcr.io/x/flyte-binary:1.2", "x/flyte-binary@sha256:0"}) {
    const test::Parsed parsed(release(chart, ""));
    const auto places = find_helm_values_sources(parsed.root());
    REQUIRE(places.size() == 1);
    CHECK(named_chart(places[0]) == "flyte-binary");
    CHECK_FALSE(places[0].has_more);
  }
  const test::Parsed open(release("'{{ chart }}'", ""));
  CHECK(named_chart(find_helm_values_sources(open.root()).at(0)).empty());
}

TEST_CASE("further values elsewhere are known of where something names them") {
  for (const auto& [rest, has_more] :
       {std::pair(", valuesFrom: [{name: a}]", true), std::pair(", valuesFrom: []", false),
        std::pair(", valuesFrom:", false)}) {
    const test::Parsed parsed(release("a", rest));
    CHECK(find_helm_values_sources(parsed.root()).at(0).has_more == has_more);
  }
}

TEST_CASE("the same keys elsewhere hold no values") {
  for (const char* text :
       {"kind: Other\nspec: {values: {a: 1}}\n", "kind: HelmRelease\nvalues: {a: 1}\n",
        "kind: Application\napiVersion: app.k8s.io/v1beta1\nspec: {source: {helm: {values: {}}}}\n",
        "releases: [{values: [a.yaml]}]\n", "a: {releases: [{values: [{a: 1}]}]}\n",
        "kind: HelmRelease\nspec: {values: }\n"}) {
    CAPTURE(text);
    const test::Parsed parsed(text);
    CHECK(find_helm_values_sources(parsed.root()).empty());
  }
}

}  // namespace gpulint

#include "compiler/fix/fix.h"

#include <string>

#include <catch2/catch.hpp>

#include "compiler/pipeline.h"
#include "compiler/project/request.h"

namespace gpulint {

TEST_CASE("Of fixes that break a file together one waits for the next round") {
  // One fix makes a list of the mapping into which the other one moves a label.
  const std::string text =
      "configmap:\n  k8s:\n    plugins:\n      k8s:\n"
      "        interruptible-node-selector:\n          example.com/Spot: \"true\"\n"
      "        interruptible-node-selector:\n          example.com/SpOt: \"true\"\n";
  Request request;
  request.paths = {"values.yaml"};
  request.no_config = true;
  request.unsafe_fixes = true;
  const FixOutcome outcome = fix_inputs(
      request, [](const Project&, const Diagnostic&) { return true; }, {{"values.yaml", text}});
  REQUIRE(outcome.files.contains("values.yaml"));
  CHECK(outcome.files.at("values.yaml").after ==
        "configmap:\n  k8s:\n    plugins:\n      k8s:\n"
        "        interruptible-node-selector:\n          - example.com/Spot: \"true\"\n"
        "          - example.com/SpOt: \"true\"\n");
}

}  // namespace gpulint

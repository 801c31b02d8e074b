// What the API server says of the pods that KubeRay builds: KubeRay keeps the template's resources.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/api_validation/api_validation.h"
#include "compiler/model/ray/ray_cluster.h"
#include "parsed.h"
#include "tests/harness/golden.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] bool is_refused(const RayGroup& group) {
  return !is_accepted(validate_pod_template(group.pod, "spec"));
}

[[nodiscard]] std::string compare_ray_pod(const Json& golden) {
  const test::Parsed manifest(golden["manifest"].get<std::string>());
  const auto cluster = read_ray_cluster(find_objects(manifest.root()).front());
  if (!cluster) return "no cluster";
  if (cluster->refused_at() != RayProblem::Stage::none) return "";
  for (const RayGroup& group : cluster->groups) {
    if (group.is_head != (golden["group"] == "head")) continue;
    return is_refused(group) == golden["pod_error"].is_null() ? "pod_error differs" : "";
  }
  return "no such group";
}

TEST_CASE("pods of Ray groups are refused as recorded") {
  for (const Json& golden : test::read_golden("ray.jsonl")) {
    INFO(golden.dump());
    CHECK(compare_ray_pod(golden) == "");
  }
}

}  // namespace
}  // namespace gpulint

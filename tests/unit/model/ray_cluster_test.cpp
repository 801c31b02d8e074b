#include "compiler/model/ray/ray_cluster.h"

#include <array>
#include <set>

#include <catch2/catch.hpp>

#include "compiler/ir/key_path.h"
#include "compiler/model/ray/ray_resources.h"
#include "golden.h"
#include "yaml.h"

namespace gpulint {
namespace {

using test::Json;
using test::Yaml;
using RayProblemKind = RayProblem::Kind;
using Stage = RayProblem::Stage;
using State = RayFlag::State;

[[nodiscard]] RayCluster read(const Yaml& yaml) {
  const std::vector<KubernetesObject> objects = find_objects(yaml.root());
  REQUIRE(objects.size() == 1);
  auto cluster = read_ray_cluster(objects.front());
  REQUIRE(cluster.has_value());
  return *std::move(cluster);
}

[[nodiscard]] const RayGroup* find_group(const RayCluster& cluster, const Json& golden) {
  const std::string name = test::member(golden, "group_name").is_string()
                               ? golden["group_name"].get<std::string>()
                               : std::string("headGroup");
  for (const RayGroup& group : cluster.groups) {
    if (group.is_head == (golden["group"] == "head") && group.name == name) return &group;
  }
  return nullptr;
}

[[nodiscard]] Json to_json(const RayFlag& flag) {
  switch (flag.state) {
    case State::absent:
      return {};
    case State::bare:
      return true;
    case State::value:
      return flag.value;
    case State::opaque:
      return "opaque";
  }
  return {};
}

[[nodiscard]] std::string compare_pruned(const RayCluster& cluster, const Json& golden) {
  std::set<std::string> ours;
  for (const RayProblem& problem : cluster.problems) {
    if (problem.kind == RayProblemKind::pruned_field) ours.insert(key_path(problem.node));
  }
  std::set<std::string> theirs;
  for (const std::string path : test::member(golden, "pruned_fields")) theirs.insert(path);
  return ours == theirs ? "" : "pruned fields";
}

[[nodiscard]] std::string compare_cluster(const Json& golden) {
  const Yaml yaml(golden["manifest"].get<std::string>());
  const RayCluster cluster = read(yaml);
  constexpr std::array stages{"null", "\"crd\"", "\"metadata\"", "\"spec\"", "\"panic\""};
  const std::string stage = stages[static_cast<std::size_t>(cluster.refused_at())];
  if (golden["error_stage"].dump() != stage) return "stage " + stage;
  if (cluster.refused_at() != Stage::none) return "";
  const RayGroup* group = find_group(cluster, golden);
  if (group == nullptr) return "no such group";
  const Json ours = {{"num-gpus", to_json(group->num_gpus)},
                     {"num-cpus", to_json(group->num_cpus)},
                     {"memory", to_json(group->memory)},
                     {"resources", to_json(group->resources)}};
  for (const auto& [flag, value] : ours.items()) {
    if (golden["ray_start"][flag] != value) return flag + " is " + value.dump();
  }
  if (golden["resources_json_error"] != group->resources_unreadable) return "resources_json_error";
  return compare_pruned(cluster, golden);
}

TEST_CASE("KubeRay's derivation, refusals and drops are predicted") {
  test::check_golden("ray.jsonl", compare_cluster);
}

/// A worker group with these lines, indented by four.
[[nodiscard]] std::string with_worker(const std::string& lines) {
  return "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: rc}\nspec:\n"
         "  rayVersion: 2.46.0\n"
         "  headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [{name: head}]}}}\n"
         "  workerGroupSpecs:\n  - groupName: gpu\n" +
         lines;
}

[[nodiscard]] std::string with_limits(const std::string& limits) {
  return with_worker("    template: {spec: {containers: [{name: ray, resources: {limits: {" +
                     limits + "}}}]}}\n");
}

TEST_CASE("derived flags know where they come from") {
  const Yaml yaml(with_limits("nvidia.com/gpu: 2, google.com/tpu: 4"));
  const RayCluster cluster = read(yaml);
  REQUIRE(cluster.groups.size() == 2);
  const RayGroup& worker = cluster.groups[1];
  CHECK(worker.name == "gpu");
  CHECK(worker.num_gpus.value == "2");
  CHECK(yaml.text(worker.num_gpus.node) == "nvidia.com/gpu");
  CHECK(worker.resources.value == "'{\"TPU\":4}'");
  REQUIRE(worker.accelerators.size() == 2);
  CHECK(worker.accelerators[0].counted);
  CHECK(worker.accelerators[1].counted);
  CHECK(cluster.problems.empty());
}

TEST_CASE("accelerators that KubeRay does not count are listed as such") {
  const Yaml yaml(with_limits("nvidia.com/gpu.shared: 1, nvidia.com/mig-1g.5gb.me: 1"));
  const RayCluster cluster = read(yaml);
  const RayGroup& worker = cluster.groups[1];
  CHECK(worker.num_gpus.state == State::absent);
  REQUIRE(worker.accelerators.size() == 2);
  CHECK_FALSE(worker.accelerators[0].counted);
  CHECK_FALSE(worker.accelerators[1].counted);
}

TEST_CASE("unreadable custom resources matter where something goes uncounted") {
  const auto problems = [](const std::string& params, const std::string& limits) {
    const Yaml yaml(with_worker("    rayStartParams: {" + params +
                                "}\n    template: {spec: {containers: [{name: ray, resources: "
                                "{limits: {" +
                                limits + "}}}]}}\n"));
    return read(yaml).problems.size();
  };
  const std::string escaped = R"(resources: '"{\"TPU\": 4}"')";
  CHECK(problems(escaped, "nvidia.com/gpu: 1") == 1);
  CHECK(problems(escaped, "aws.amazon.com/neuroncore: 1") == 1);
  // The TPU is named by hand, and so is the GPU.
  CHECK(problems(escaped, "google.com/tpu: 4") == 0);
  CHECK(problems(escaped + ", num-gpus: '1'", "nvidia.com/gpu: 1") == 0);
  CHECK(problems(escaped, "cpu: 4, nvidia.com/gpu: 0") == 0);
}

TEST_CASE("placeholders leave flags open and raise no problem") {
  const Yaml limit(with_limits("nvidia.com/gpu: $N, cpu: $C"));
  CHECK(read(limit).groups[1].num_gpus.state == State::opaque);
  CHECK(read(limit).groups[1].num_cpus.state == State::opaque);
  CHECK(read(limit).problems.empty());
  const Yaml params(
      with_worker("    rayStartParams: {num-gpus: $N, resources: $R}\n    minReplicas: $M\n"
                  "    template: {spec: {containers: [{name: ray, resources: {limits: "
                  "{google.com/tpu: 1}}}]}}\n"));
  CHECK(read(params).groups[1].num_gpus.state == State::opaque);
  CHECK(read(params).groups[1].resources.state == State::opaque);
  CHECK(read(params).problems.empty());
  CHECK(read(Yaml(with_worker("    template: $T\n"))).problems.empty());
}

struct Found {
  RayProblemKind kind;
  Stage stage;
  std::string text;
  std::string detail;
};

void check_only(const std::string& lines, const Found& expected) {
  INFO(lines);
  const Yaml yaml(with_worker(lines));
  const std::vector<RayProblem> problems = read(yaml).problems;
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == expected.kind);
  CHECK(problems[0].stage == expected.stage);
  CHECK(yaml.text(problems[0].node) == expected.text);
  CHECK(problems[0].detail == expected.detail);
}

TEST_CASE("problems point at their values") {
  const std::string pod = "    template: {spec: {containers: [{name: ray}]}}\n";
  check_only(pod + "    rayStartParams: {num-gpus: 1}\n",
             {RayProblemKind::not_a_string, Stage::crd, "1", "rayStartParams"});
  check_only(pod + "    num-gpus: '1'\n",
             {RayProblemKind::pruned_field, Stage::none, "'1'", "rayStartParams.num-gpus"});
  check_only(pod + "    minReplica: 1\n",
             {RayProblemKind::pruned_field, Stage::none, "1", "minReplicas"});
  check_only(pod + "    minReplicas: 5\n    maxReplicas: 2\n",
             {RayProblemKind::invalid_replicas, Stage::spec, "5", ""});
  check_only(pod + "    resources: {gpu: one}\n",
             {RayProblemKind::unreadable_amount, Stage::none, "one", ""});
  check_only(pod + "    resources: {gpu: '1'}\n    rayStartParams: {num-cpus: '2'}\n",
             {RayProblemKind::resources_twice, Stage::spec, "'2'", ""});
  check_only(pod + "    idleTimeoutSeconds: 5\n",
             {RayProblemKind::needs_autoscaler_v2, Stage::spec, "5", ""});
  check_only(
      "    template: {spec: {containers: [{name: ray, limits: {nvidia.com/gpu: 1}}]}}\n",
      {RayProblemKind::pruned_field, Stage::none, "{nvidia.com/gpu: 1}", "resources.limits"});
}

TEST_CASE("clusters inside jobs and services are found") {
  const char* const jobs[] = {"RayJob\nspec:\n  rayClusterSpec:\n",
                              "RayService\nspec:\n  rayClusterConfig:\n"};
  for (const std::string job : jobs) {
    const Yaml yaml("apiVersion: ray.io/v1\nkind: " + job +
                    "    headGroupSpec: {template: {spec: {containers: [{name: h, resources: "
                    "{limits: {nvidia.com/gpu: 1}}}]}}}\n");
    const RayCluster cluster = read(yaml);
    REQUIRE(cluster.groups.size() == 1);
    CHECK(cluster.groups[0].num_gpus.value == "1");
  }
  const Yaml other("apiVersion: v1\nkind: Pod\nspec: {headGroupSpec: {}}\n");
  CHECK_FALSE(read_ray_cluster(find_objects(other.root()).front()).has_value());
}

TEST_CASE("KubeRay's idea of a GPU is a suffix or its MIG pattern") {
  for (const char* name : {"nvidia.com/gpu", "amd.com/gpu", "metax-tech.com/sgpu", "gpu",
                           "nvidia.com/mig-1g.5gb", "xnvidia.com/mig-1g.5gb"}) {
    INFO(name);
    CHECK(is_ray_gpu(name));
  }
  for (const char* name : {"nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb.me", "nvidia.com/GPU",
                           "nvidia.com/mig-1c.2g.10gb", "gpu.intel.com/xe", "google.com/tpu"}) {
    INFO(name);
    CHECK_FALSE(is_ray_gpu(name));
  }
}

TEST_CASE("images tell by their tag whether they have CUDA") {
  using enum RayImage;
  CHECK(classify_ray_image("rayproject/ray:2.46.0") == cpu);
  CHECK(classify_ray_image("rayproject/ray:2.46.0-py310") == cpu);
  CHECK(classify_ray_image("docker.io/rayproject/ray:nightly") == cpu);
  CHECK(classify_ray_image("rayproject/ray") == cpu);
  CHECK(classify_ray_image("rayproject/ray:2.46.0-py310-gpu") == gpu);
  CHECK(classify_ray_image("rayproject/ray:2.46.0-py310-cu128") == gpu);
  CHECK(classify_ray_image("rayproject/ray:2.46.0.deprecated-py310-cu121-aarch64") == gpu);
  CHECK(classify_ray_image("rayproject/ray-llm:2.52.0-py311-cu128") == gpu);
  CHECK(classify_ray_image("rayproject/ray-ml:2.9.0") == unknown);
  CHECK(classify_ray_image("rayproject/ray:2.46.0-tpu") == unknown);
  CHECK(classify_ray_image("rayproject/ray:$TAG") == unknown);
  CHECK(classify_ray_image("rayproject/ray@sha256:0123") == unknown);
  CHECK(classify_ray_image("registry.example.com/ray:2.46.0") == unknown);
  CHECK(classify_ray_image("rayproject/ray:my-build") == unknown);
}

TEST_CASE("custom resources are read and written as Go does") {
  const auto state = [](std::string_view text) { return parse_ray_resources(text).state; };
  CHECK(state("'{\"a\": 1, \"b\": null}'") == RayResources::State::map);
  CHECK(state("  {} ") == RayResources::State::map);
  CHECK(state("null") == RayResources::State::null);
  for (const char* text :
       {"", "{a: 1}", "{\"a\": \"1\"}", "{\"a\": 01}", "{\"a\": 1.}", "{\"a\": +1}", "{\"a\": 1,}",
        "{\"a\": 1} x", "[1]", "{\"a\": 1e999}", "{\"a\": true}", "{\"a\" 1}", "{\"a\n\": 1}"}) {
    INFO(text);
    CHECK(state(text) == RayResources::State::invalid);
  }
  CHECK(parse_ray_resources(R"({"\u0061\"": 2})").amounts ==
        std::map<std::string, double>{{"a\"", 2}});
  CHECK(format_ray_resources({{"b", 0.5}, {"a", 1e21}, {"c", 1e-7}, {"d", 1e20}}) ==
        "'{\"a\":1e+21,\"b\":0.5,\"c\":1e-7,\"d\":100000000000000000000}'");
}

}  // namespace
}  // namespace gpulint

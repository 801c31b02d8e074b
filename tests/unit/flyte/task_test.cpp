#include "compiler/flyte/task.h"

#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "backends/compiled_pods.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/go_scalar.h"
#include "compiler/flyte/inject.h"
#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

TEST_CASE("flytekit's constants name device and partition") {
  const AcceleratorSpec mig = parse_accelerator("A100.partition_2g_10gb", FlyteVersion::v1);
  CHECK(mig.device == "nvidia-tesla-a100");
  CHECK(mig.partition_size == "2g.10gb");
  CHECK(mig.problem.empty());
  CHECK(parse_accelerator("A100_80GB", FlyteVersion::v1).device == "nvidia-a100-80gb");
  CHECK(parse_accelerator("A100.unpartitioned", FlyteVersion::v1).unpartitioned == true);
  const AcceleratorSpec tpu = parse_accelerator("V5E.slice_2x2", FlyteVersion::v1);
  CHECK(tpu.device == "tpu-v5-lite-podslice");
  CHECK(tpu.partition_size == "2x2");
  CHECK(tpu.device_class == "GOOGLE_TPU");
  CHECK_FALSE(parse_accelerator("A100.partition_9g_99gb", FlyteVersion::v1).problem.empty());
  CHECK_FALSE(parse_accelerator("T4.unpartitioned", FlyteVersion::v1).problem.empty());
}

TEST_CASE("other text is a device as it stands") {
  const AcceleratorSpec spec = parse_accelerator("NVIDIA-A10G", FlyteVersion::v1);
  CHECK(spec.device == "NVIDIA-A10G");
  CHECK_FALSE(spec.partition_size.has_value());
}

TEST_CASE("Flyte 2 spells device and count in one text") {
  const AcceleratorSpec spec = parse_accelerator("A100 80G:2", FlyteVersion::v2);
  CHECK(spec.device == "nvidia-a100-80gb");
  CHECK(spec.count == "2");
  const Task task = parse_task_spec("accelerator=T4:4", FlyteVersion::v2);
  REQUIRE(task.requests.size() == 1);
  CHECK(task.requests[0].name.value == "gpu");
  CHECK(task.requests[0].amount.value() == "4");
}

TEST_CASE("a task's text sets what YAML would") {
  const Task task = parse_task_spec(
      "name=train,gpu=1,limits.memory=2Gi,device=x,partition=1g.5gb,interruptible,plugin=ray",
      FlyteVersion::v1);
  CHECK(task.name == "train");
  REQUIRE(task.requests.size() == 1);
  REQUIRE(task.limits.size() == 1);
  CHECK(task.limits[0].name.value == "memory");
  REQUIRE(task.accelerator.has_value());
  CHECK(task.accelerator->device.value == "x");
  CHECK(task.accelerator->partition_size->value == "1g.5gb");
  CHECK(task.interruptible);
  CHECK(task.plugin == TaskPlugin::ray);
  CHECK_FALSE(parse_task_spec("gpu", FlyteVersion::v1).problem.empty());
  CHECK_FALSE(parse_task_spec("plugin=slurm", FlyteVersion::v1).problem.empty());
}

TEST_CASE("without declared tasks the nodes say what to try") {
  Cluster cluster;
  NodePool& pool = cluster.pools.emplace_back();
  pool.labels.push_back({"k8s.amazonaws.com/accelerator", PoolLabel::Known::exact, {"t4"}, {}});
  pool.labels.push_back(
      {"k8s.amazonaws.com/gpu-partition-size", PoolLabel::Known::exact, {"1g.5gb"}, {}});
  FlyteConfig config;
  config.k8s = make_k8s_plugin_config(k8s_plugin_defaults(FlyteVersion::v1));
  std::vector<std::string> names;
  for (const Task& task : assumed_tasks(cluster, config)) {
    CHECK(task.assumed);
    names.push_back(task.name);
  }
  CHECK(names == std::vector<std::string>{"assumed-gpu", "assumed-t4", "assumed-t4-1g-5gb"});
}

TEST_CASE("a placeholder for an amount is carried along, not guessed") {
  Inputs inputs;
  const Node entry = root(inputs.parse("t.yaml", "name: a\nrequests: {gpu: $GPUS}\n"));
  const FlyteConfig config = load_flyte_config({}, FlyteVersion::v1);
  const CompiledPod pod = compile_task(config, {}, read_task(entry, FlyteVersion::v1));
  REQUIRE(pod.error.empty());
  bool found = false;
  for (const ResourceEntry& limit : pod.workload.pod.containers[0].resources.limits) {
    if (limit.name.value != "nvidia.com/gpu") continue;
    found = true;
    CHECK(limit.amount.is_opaque());
  }
  CHECK(found);
}

TEST_CASE("pods print as YAML with the origin behind each item") {
  Inputs inputs;
  const std::vector<ConfigFile> files{inputs.config_file(
      "c.yaml",
      "plugins: {k8s: {resource-tolerations: {nvidia.com/gpu: {key: g, operator: Exists}}}}\n")};
  const FlyteConfig config = load_flyte_config(files, FlyteVersion::v1);
  const Task task = parse_task_spec("name=train,gpu=1", FlyteVersion::v1);
  std::ostringstream out;
  const CompiledPod pod = compile_task(config, {}, task);
  emit_compiled_yaml({&pod}, inputs.sources(), out);
  CHECK(out.str() == R"(---
# task train, Flyte 1
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  tolerations:
    - key: g  # plugins.k8s.resource-tolerations, c.yaml:1:56
      operator: Exists
  containers:
    - name: train
      resources:
        limits:
          cpu: "1"  # plugins.k8s.default-cpus, built in
          memory: "1Gi"  # plugins.k8s.default-memory, built in
          nvidia.com/gpu: "1"  # task.requests.gpu, command line
        requests:
          cpu: "1"  # plugins.k8s.default-cpus, built in
          memory: "1Gi"  # plugins.k8s.default-memory, built in
          nvidia.com/gpu: "1"  # task.requests.gpu, command line
)");
}

TEST_CASE("plain scalars are what yaml.v3 makes of them") {
  const auto text = [](const char* plain) { return resolve_plain(plain).text; };
  CHECK(text("010") == "8");
  CHECK(text("0o17") == "15");
  CHECK(text("0x10") == "16");
  CHECK(text("1_000") == "1000");
  CHECK(text("1.50") == "1.5");
  CHECK(text("1e3") == "1000");
  CHECK(text("08") == "8");
  CHECK(resolve_plain("yes").type == GoScalar::Type::string);
  CHECK(resolve_plain("2024-01-31").type == GoScalar::Type::timestamp);
  CHECK(resolve_plain("2024-02-30").type == GoScalar::Type::string);
  CHECK(resolve_plain("~").type == GoScalar::Type::null);
}

TEST_CASE("durations read and print as Go's") {
  const auto round = [](const char* text) { return format_go_duration(*parse_go_duration(text)); };
  CHECK(round("90s") == "1m30s");
  CHECK(round("1.5h") == "1h30m0s");
  CHECK(round("100ms") == "100ms");
  CHECK(round("0") == "0s");
  CHECK_FALSE(parse_go_duration("5").has_value());
  CHECK_FALSE(parse_go_duration("5 m").has_value());
}

}  // namespace
}  // namespace gpulint::flyte::test

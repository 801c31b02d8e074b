// What public pages say of Flyte and GPUs, held against what Flyte does: every example compiles,
// and where page and Flyte differ, a test says in what.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "backends/compiled_pods.h"
#include "compiler/driver/options.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "tests/harness/case_runner.h"
#include "tests/harness/golden.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The pods of `tasks` under the configuration in `text`, as `compile --format json` has them.
[[nodiscard]] Json compile(const std::string& text, const std::vector<std::string>& tasks) {
  std::vector<const char*> arguments = {"gpulint", "compile", "--no-config", "page.yaml"};
  for (const std::string& task : tasks) arguments.insert(arguments.end(), {"--task", task.c_str()});
  const auto options =
      gpulint::parse_options(static_cast<int>(arguments.size()), arguments.data()).options;
  REQUIRE(options);
  const auto project = gpulint::load_project(*options, {{"page.yaml", text}});
  std::vector<const gpulint::flyte::CompiledPod*> pods;
  for (const auto& installation : project->scopes.front().flyte.installations) {
    for (const auto& pod : installation.pods) pods.push_back(&pod);
  }
  std::ostringstream out;
  gpulint::emit_compiled_json(pods, project->sources, out);
  return Json::parse(out.str())["pods"];
}

[[nodiscard]] Json compile_one(const std::string& text, const std::string& task) {
  const Json pods = compile(text, {task});
  REQUIRE(pods.size() == 1);
  CHECK(pods[0]["error"].is_null());
  return pods[0]["spec"];
}

[[nodiscard]] Json requirements_of(const Json& spec) {
  return spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
             ["nodeSelectorTerms"][0]["matchExpressions"];
}

[[nodiscard]] Json toleration(const char* key, const char* value) {
  return {{"key", key}, {"operator", "Equal"}, {"value", value}, {"effect", "NoSchedule"}};
}

[[nodiscard]] Json is_in(const char* key, const char* value) {
  return {{"key", key}, {"operator", "In"}, {"values", {value}}};
}

[[nodiscard]] std::string seed(const std::string& name) {
  const fs::path path = fs::path(GPULINT_SOURCE_DIR) / "testdata/seeds" / (name + ".yaml");
  REQUIRE(fs::exists(path));
  return gpulint::test::read_file(path);
}

/// Every example below a folder that may hold Flyte configuration.
[[nodiscard]] std::vector<fs::path> find_examples(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    if (gpulint::test::read_file(entry.path()).find("k8s:") != std::string::npos)
      found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

/// Compiles every example below a folder, of which there are at least `least`.
void check_examples(const fs::path& folder, std::size_t least) {
  const std::vector<fs::path> examples = find_examples(folder);
  CHECK(examples.size() >= least);
  for (const fs::path& example : examples) {
    CAPTURE(example.string());
    const std::string text = gpulint::test::read_file(example);
    // The pages of Union speak of a chart of its own, which keeps Flyte's sections below `config`.
    if (text.starts_with("config:") || text.find("\nconfig:") != std::string::npos) continue;
    const Json pods = compile(text, {"gpu=1", "gpu=1,accelerator=A100.partition_2g_10gb"});
    CHECK(pods.size() == 2);
    for (const Json& pod : pods) CHECK(pod["error"].is_null());
  }
}

}  // namespace

TEST_CASE("every Flyte example of public pages compiles") {
  check_examples(GPULINT_SOURCE_DIR "/testdata/seeds", 9);
}

TEST_CASE("every Flyte example in the pages of the corpus compiles") {
  check_examples(gpulint::test::shared_folder("corpus/docs"), 1);
}

// «When this task is evaluated, flytepropeller injects a toleration in the pod spec:
// nvidia.com/gpu: NoSchedule op=Exists». Flyte injects none: only the admission plugin
// ExtendedResourceToleration does.
TEST_CASE(
    "the pages promise a toleration for every GPU task; Flyte adds what is configured, only") {
  const Json spec = compile_one("plugins: {k8s: {default-cpus: 1}}\n", "gpu=1");
  CHECK_FALSE(spec.contains("tolerations"));
}

TEST_CASE("tolerations of a resource are as the pages have them") {
  for (const char* name : {"flyte-1.10-core-tolerations", "flyte-1.10-binary-tolerations"}) {
    const Json spec = compile_one(seed(name), "gpu=1");
    CHECK(spec["tolerations"] == Json::array({toleration("mykey", "myvalue")}));
  }
  const Json spec = compile_one(seed("flyte-first-page-toleration-of-a-resource"), "gpu=1");
  CHECK(spec["tolerations"] == Json::array({toleration("key1", "value1")}));
}

// «If your GPU accelerators expose a different resource name, adjust the following key». Flyte 1
// goes on to request nvidia.com/gpu for ordinary tasks, and then leaves the accelerator out.
TEST_CASE(
    "gpu-resource-name does not rename the GPU of an ordinary Flyte 1 task, as the pages say") {
  for (const char* name : {"flyte-1.10-core-resource-name", "flyte-1.10-binary-resource-name"}) {
    const Json spec = compile_one(seed(name), "gpu=1,accelerator=V100");
    CHECK(spec["containers"][0]["resources"]["limits"].contains("nvidia.com/gpu"));
    CHECK_FALSE(spec.contains("affinity"));
  }
}

// The page's pod has `nvidia.com/gpu=present` marked «auto»: that is GKE's doing, not Flyte's.
TEST_CASE("the pod on GKE has one toleration less than the page shows") {
  const Json spec = compile_one(seed("flyte-1.10-core-device-label"), "gpu=1,accelerator=V100");
  const char* label = "cloud.google.com/gke-accelerator";
  CHECK(spec["tolerations"] == Json::array({toleration(label, "nvidia-tesla-v100")}));
  CHECK(requirements_of(spec) == Json::array({is_in(label, "nvidia-tesla-v100")}));
}

// The page shows device and partition under labels of NVIDIA's; the device's default in Flyte is
// another one, `k8s.amazonaws.com/accelerator`.
TEST_CASE("the pod of a partition is as the page shows, but for the default device label") {
  const Json spec = compile_one(seed("flyte-1.10-core-partition-label"),
                                "gpu=1,accelerator=A100.partition_2g_10gb");
  CHECK(requirements_of(spec) ==
        Json::array({is_in("k8s.amazonaws.com/accelerator", "nvidia-tesla-a100"),
                     is_in("nvidia.com/gpu.partition-size", "2g.10gb")}));
  CHECK(spec["tolerations"] ==
        Json::array({toleration("k8s.amazonaws.com/accelerator", "nvidia-tesla-a100"),
                     toleration("nvidia.com/gpu.partition-size", "2g.10gb")}));
}

// A newer edition of the page sets `operator: Equal` and `value: DoesNotExist` to have
// DoesNotExist. A node selector requirement has `values`, no `value`, and no operator of that name:
// Flyte drops the one and passes on the other, which the API server refuses.
TEST_CASE("the page's requirement for unpartitioned GPUs gives a pod that the API server refuses") {
  const std::string page = R"(
configmap:
  k8s:
    plugins:
      k8s:
        gpu-unpartitioned-node-selector-requirement :
          key: cloud.google.com/gke-gpu-partition-size
          operator: Equal
          value: DoesNotExist
)";
  const Json spec = compile_one(page, "gpu=1,accelerator=A100.unpartitioned");
  CHECK(requirements_of(spec).back() ==
        Json{{"key", "cloud.google.com/gke-gpu-partition-size"}, {"operator", "Equal"}});
}

// As a toleration the same words are a value: it tolerates `…=DoesNotExist:NoSchedule`, a taint
// that somebody has to set.
TEST_CASE("the page's toleration for unpartitioned GPUs is taken by the letter") {
  const std::string page = R"(
configuration:
  inline:
    plugins:
      k8s:
        gpu-unpartitioned-toleration:
          effect: NoSchedule
          key: cloud.google.com/gke-gpu-partition-size
          operator: Equal
          value: DoesNotExist
)";
  const Json spec = compile_one(page, "gpu=1,accelerator=A100.unpartitioned");
  CHECK(spec["tolerations"].back() ==
        toleration("cloud.google.com/gke-gpu-partition-size", "DoesNotExist"));
}

// Without that key an unpartitioned task demands that the partition label is not there, as the page
// shows under «unpartitioned».
TEST_CASE("without further keys unpartitioned means that the partition label is absent") {
  const Json spec =
      compile_one("plugins: {k8s: {gpu-partition-size-node-label: example.com/part}}\n",
                  "gpu=1,accelerator=A100.unpartitioned");
  CHECK(requirements_of(spec).back() ==
        Json{{"key", "example.com/part"}, {"operator", "DoesNotExist"}});
}

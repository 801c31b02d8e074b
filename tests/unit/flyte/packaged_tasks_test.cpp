// The package in testdata/python, which flytekit's own `pyflyte package` wrote and flyteidl's own
// protobuf read again (tests/python_sdks/record_package.py).
#include "compiler/flyte/packaged_tasks.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/node.h"
#include "frontend/protobuf/package.h"

namespace gpulint::flyte::test {
namespace {

using nlohmann::json;

/// What is read of packages that say so in JSON.
struct Read {
  SourceSet sources;
  std::vector<std::unique_ptr<Document>> told;
  std::map<FileId, PythonTasks> tasks;

  explicit Read(const std::vector<std::string>& packages) {
    std::vector<const Document*> documents;
    for (const std::string& text : packages) {
      const FileId id = sources.add("package.tgz", text, SourceFile::Encoding::told);
      documents.push_back(told.emplace_back(package::parse(sources.file(id))).get());
    }
    tasks = read_packaged_tasks(documents);
  }

  [[nodiscard]] std::vector<Task> of(FileId id) const {
    std::vector<Task> read;
    const auto& document = tasks.at(id).document;
    for (const Node entry : document ? root(*document).items() : std::vector<Node>()) {
      read.push_back(read_task(entry, version_of_entry(entry)));
      CHECK(read.back().problem.empty());
    }
    return read;
  }
};

[[nodiscard]] std::string text_of(const std::vector<TaskResource>& amounts) {
  std::map<std::string, std::string> sorted;
  for (const TaskResource& each : amounts) sorted[each.name.value] = each.amount.value_or("?");
  return json(sorted).dump();
}

[[nodiscard]] std::string device_text(const std::optional<TaskAccelerator>& accelerator) {
  if (!accelerator) return {};
  std::string text = accelerator->device.value;
  if (accelerator->partition_size) text += "/" + accelerator->partition_size->value;
  if (accelerator->unpartitioned == true) text += "/whole";
  return text;
}

/// What a task asks for, or of one whose node overrides something what that says.
[[nodiscard]] std::string text_of(const Task& task) {
  const bool is_variant = !variant_suffix(task.name).empty();
  const std::vector<TaskResource> none;
  return fmt::format("{} {} {} {}",
                     text_of(is_variant ? task.override_requests.value_or(none) : task.requests),
                     text_of(is_variant ? task.override_limits.value_or(none) : task.limits),
                     device_text(is_variant ? task.override_accelerator : task.accelerator),
                     task.interruptible && !is_variant);
}

[[nodiscard]] std::string recorded_text(const json& task) {
  const auto amounts = [&](const char* part) {
    return json(task.at(part).get<std::map<std::string, std::string>>()).dump();
  };
  return fmt::format("{} {} {} {}", amounts("requests"), amounts("limits"),
                     task.value("accelerator", ""), task.value("interruptible", false));
}

}  // namespace

TEST_CASE("Packages: the bytes say what flyteidl's own protobuf reads of them") {
  const auto told = package::unpack(read_python_recording("flytekit_package.tgz"));
  REQUIRE(told.ok());
  const json read = json::parse(told.value());
  const json recorded = json::parse(read_python_recording("flytekit_package.json")).at("told");
  REQUIRE(read.size() == recorded.size());
  CHECK(read.size() >= 60);
  for (std::size_t i = 0; i < read.size(); ++i) CHECK(read[i] == recorded[i]);
}

TEST_CASE("Packages: tasks ask for what flytekit says of each") {
  const auto told = package::unpack(read_python_recording("flytekit_package.tgz"));
  REQUIRE(told.ok());
  const Read read({told.value()});
  const json recorded = json::parse(read_python_recording("flytekit_tasks.json")).at("tasks");
  std::set<std::string> seen;
  std::multiset<std::string> variants;
  for (const Task& task : read.of(0)) {
    const std::string name = task.name.substr(task.name.find('.') + 1);
    if (!variant_suffix(name).empty()) {
      variants.insert(text_of(task));
      continue;
    }
    seen.insert(name);
    REQUIRE(recorded.contains(name));
    CHECK(name + text_of(task) == name + recorded_text(recorded.at(name)));
  }
  std::set<std::string> open;
  for (const OpenPythonTask& task : read.tasks.at(0).open) {
    open.insert(task.name.substr(task.name.find('.') + 1));
  }
  CHECK(open.empty());
  std::multiset<std::string> expected;
  for (const auto& [name, task] : recorded.items()) {
    const bool asks =
        task.dump().find("gpu\":\"0\"") == std::string::npos &&
        (task.dump().find("gpu\":") != std::string::npos || task.contains("accelerator"));
    if (!variant_suffix(name).empty()) {
      expected.insert(recorded_text(task));
    } else if (asks && !open.contains(name)) {
      CHECK(name + (seen.contains(name) ? " is told" : "") == name + " is told");
    }
  }
  CHECK(variants == expected);
}

TEST_CASE("Packages: a node of one may override a task of another, and is told once") {
  const std::string task =
      R"([{"template": {"id": {"resourceType": "TASK", "name": "a.train"}, "type": "python-task",
      "container": {"resources": {"requests": [{"name": "CPU", "value": "1"}]}}}}])";
  const std::string node =
      R"({"taskNode": {"referenceId": {"name": "a.train"}, "overrides": {"resources":
      {"requests": [{"name": "GPU", "value": "4"}]}}}})";
  const std::string workflow =
      R"([{"template": {"id": {"resourceType": "WORKFLOW", "name": "a.work"}, "nodes": [{"branchNode":
      {"ifElse": {"case": {"thenNode": )" +
      node + R"(}}}}]}, "subWorkflows": [{"nodes": [)" + node + "]}]}]";
  const Read read({task, workflow});
  CHECK(read.of(0).empty());
  const std::vector<Task> variants = read.of(1);
  REQUIRE(variants.size() == 1);
  CHECK(variants.front().name == "a.train.with_overrides");
  CHECK(text_of(variants.front().requests) == R"({"cpu":"1"})");
  CHECK(text_of(variants.front()) == R"({"gpu":"4"} {}  false)");
}

TEST_CASE("Packages: what a plugin or the cluster decides on stays open") {
  const auto task = [](const std::string& rest) {
    return R"([{"template": {"id": {"resourceType": "TASK", "name": "train"}, "container": {"resources":
        {"requests": [{"name": "GPU", "value": "1"}]}}, )" +
           rest + "}}]";
  };
  CHECK(Read({task(R"("type": "python-task")")}).of(0).size() == 1);
  CHECK(Read({task(R"("type": "spark")")}).of(0).front().plugin == TaskPlugin::spark);
  // flytekitplugins-kfpytorch sends empty resources for roles without any.
  const std::string pytorch =
      R"("type": "pytorch", "custom": {"workerReplicas": {"common": {"replicas": 2, "resources": {}}}})";
  CHECK(Read({task(pytorch)}).of(0).front().plugin == TaskPlugin::kubeflow);
  const std::string upon = R"("type": "python-task", "metadata": {"podTemplateName": "base"})";
  CHECK(Read({task(upon)}).of(0).front().pod_template_name.value == "base");
  for (
      const char* const rest :
      {R"("type": "databricks")",
       R"("type": "ray", "custom": {"rayCluster": {"workerGroupSpec": [{"k8sPod": {"podSpec": {}, "metadata": {"labels": {"a": "b"}}}}]}})"}) {
    const Read read({task(rest)});
    CHECK(read.of(0).empty());
    CHECK(read.tasks.at(0).open.size() == 1);
  }
  CHECK(Read({R"([{"template": {"id": {"resourceType": "TASK", "name": "sql"}, "type": "gpu"}}])"})
            .tasks.at(0)
            .open.empty());
}

}  // namespace gpulint::flyte::test

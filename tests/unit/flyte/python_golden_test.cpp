// What flytekit and Flyte 2's SDK make of the sources in testdata/python, recorded there
// (tests/python_sdks/record.py), beside what is read of the same sources.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "compiler/flyte/python_tasks.h"
#include "compiler/flyte/task.h"
#include "frontend/python/parse.h"

namespace gpulint::flyte::test {
namespace {

using Amounts = std::map<std::string, std::string>;

struct Asked {
  Amounts requests;
  Amounts limits;
  std::string accelerator;
  bool interruptible = false;

  [[nodiscard]] std::string text() const {
    return fmt::format("requests {} limits {} accelerator {} interruptible {}", requests, limits,
                       accelerator, interruptible);
  }
};

[[nodiscard]] Amounts amounts_of(const std::vector<TaskResource>& list) {
  Amounts amounts;
  for (const TaskResource& each : list) amounts[each.name.value] = each.amount.value_or("?");
  return amounts;
}

[[nodiscard]] std::string asked_device(const std::optional<TaskAccelerator>& accelerator) {
  if (!accelerator) return {};
  std::string text = accelerator->device.value;
  if (accelerator->partition_size) text += "/" + accelerator->partition_size->value;
  if (accelerator->unpartitioned == true) text += "/whole";
  if (accelerator->device_class != "NVIDIA_GPU") text += " of " + accelerator->device_class;
  return text;
}

/// The node of a workflow has what `with_overrides` says and nothing of the task.
[[nodiscard]] Asked asked_by(const Task& task) {
  const bool is_variant = task.name.find(".with_overrides") != std::string::npos;
  if (!is_variant) {
    return {amounts_of(task.requests), amounts_of(task.limits), asked_device(task.accelerator),
            task.interruptible};
  }
  const std::vector<TaskResource> none;
  return {amounts_of(task.override_requests.value_or(none)),
          amounts_of(task.override_limits.value_or(none)), asked_device(task.override_accelerator),
          false};
}

[[nodiscard]] Asked asked_by(const nlohmann::json& recorded) {
  return {recorded.at("requests").get<Amounts>(), recorded.at("limits").get<Amounts>(),
          recorded.value("accelerator", ""), recorded.value("interruptible", false)};
}

[[nodiscard]] bool concerns_gpus(const Asked& asked) {
  const auto has = [](const Amounts& amounts) {
    return std::ranges::any_of(amounts, [](const auto& amount) {
      return amount.first.ends_with("gpu") && amount.second != "0";
    });
  };
  return has(asked.requests) || has(asked.limits) || !asked.accelerator.empty();
}

/// The least number of tasks with GPUs; the SDK alone tells of the others.
constexpr std::size_t most_of_sixty = 55;
constexpr std::size_t most_of_twenty = 18;
constexpr std::size_t all_of_seven = 7;

[[nodiscard]] std::vector<std::string> missing_from(const std::set<std::string>& some,
                                                    const std::set<std::string>& all) {
  std::vector<std::string> missing;
  std::ranges::set_difference(all, some, std::back_inserter(missing));
  return missing;
}

/// Compares all tasks; returns those that were left open.
[[nodiscard]] std::vector<std::string> compare(const std::string& source, std::size_t least) {
  const SourceFile file(0, source + ".py", read_python_recording(source + ".py"));
  const auto recorded = nlohmann::json::parse(read_python_recording(source + ".json")).at("tasks");
  const PythonTasks read = read_python_tasks(python::parse(file), file);
  REQUIRE(read.document);
  std::set<std::string> ours;
  const auto entries = task_entries(root(*read.document));
  for (const Node entry : *entries) {
    const Task task = read_task(entry, FlyteVersion::v1);
    CHECK(task.problem.empty());
    ours.insert(task.name + ": " + asked_by(task).text());
  }
  std::vector<std::string> open;
  for (const OpenPythonTask& task : read.open) open.push_back(task.name);
  std::set<std::string> theirs;
  for (const auto& [name, task] : recorded.items()) {
    const bool is_open = std::ranges::find(open, name) != open.end();
    if (!is_open && concerns_gpus(asked_by(task))) {
      theirs.insert(name + ": " + asked_by(task).text());
    }
  }
  CHECK(missing_from(theirs, ours) == std::vector<std::string>{});
  CHECK(missing_from(ours, theirs) == std::vector<std::string>{});
  CHECK(ours.size() >= least);
  return open;
}

TEST_CASE("Python tasks: flytekit makes the same of them") {
  CHECK(compare("flytekit_tasks", most_of_sixty) == std::vector<std::string>{});
  CHECK(compare("flytekit_values", most_of_twenty) == std::vector<std::string>{});
}

TEST_CASE("Python tasks: Flyte 2's SDK makes the same of them") {
  CHECK(compare("flyte_tasks", most_of_sixty) == std::vector<std::string>{});
  CHECK(compare("flyte_values", all_of_seven) == std::vector<std::string>{});
}

TEST_CASE("Python tasks: what the SDKs refuse has a remark and is no task") {
  const auto recorded = nlohmann::json::parse(read_python_recording("refused.json"));
  CHECK(recorded.size() >= 9);
  for (const auto& [name, error] : recorded.items()) {
    CAPTURE(name, error.get<std::string>());
    const SourceFile file(0, name, read_python_recording("refused/" + name));
    const PythonTasks read = read_python_tasks(python::parse(file), file);
    CHECK(read.remarks.size() == 1);
    CHECK(read.document == nullptr);
    CHECK(read.open.empty());
  }
}

}  // namespace
}  // namespace gpulint::flyte::test

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/flyte/flyteadmin.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

using Amounts = std::map<std::string, std::string>;

[[nodiscard]] Amounts amounts_of(const Json& json) {
  Amounts result;
  for (const auto& [name, amount] : json.items()) {
    result[name] = Quantity::parse(amount.get<std::string>())->to_string();
  }
  return result;
}

[[nodiscard]] Amounts amounts_of(const ResourceList& list) {
  Amounts result;
  for (const auto& [name, amount] : list.entries()) result[name] = amount.quantity.to_string();
  return result;
}

[[nodiscard]] Amounts amounts_of(const std::vector<ResourceEntry>& list) {
  Amounts result;
  for (const ResourceEntry& entry : list) {
    result[entry.name.value] = entry.amount.value().to_string();
  }
  return result;
}

[[nodiscard]] std::string shown(const Amounts& amounts) {
  std::string text;
  for (const auto& [name, amount] : amounts) text += fmt::format("{}={} ", name, amount);
  return text;
}

/// What the golden file names `key` must be what we have; empty where it is.
template <class List>
[[nodiscard]] std::string compare(const Json& expected, const char* key, const List& limits,
                                  const List& requests) {
  if (expected.is_null()) return "";
  const Amounts wanted_limits = amounts_of(expected.at("limits"));
  const Amounts wanted_requests = amounts_of(expected.at("requests"));
  if (amounts_of(limits) == wanted_limits && amounts_of(requests) == wanted_requests) return "";
  return fmt::format("{}: limits {} instead of {}, requests {} instead of {}", key,
                     shown(amounts_of(limits)), shown(wanted_limits), shown(amounts_of(requests)),
                     shown(wanted_requests));
}

[[nodiscard]] std::string admin_difference(const Json& golden) {
  Inputs inputs;
  std::vector<ConfigFile> files{
      inputs.config_file("a.yaml", golden.at("task_resources").get<std::string>())};
  if (golden.contains("plugins_k8s_config") && golden["plugins_k8s_config"].is_string()) {
    files.push_back(inputs.config_file("b.yaml", golden["plugins_k8s_config"].get<std::string>()));
  }
  // flyteadmin is there in every case, also where its section is not written.
  files.push_back(inputs.config_file("c.yaml", "task_resources: {unknown-key: 1}\n"));
  const LoadedRelease loaded = load_files(files, FlyteVersion::v1);
  const Task task =
      read_task(root(inputs.parse("task.json", golden.at("task").dump())), FlyteVersion::v1);
  const CompiledPod pod = compile_task(loaded.propeller, loaded.platform, task);
  const bool accepted = golden.at("accepted").get<bool>();
  if (accepted != pod.error.empty()) {
    return fmt::format("{} instead of {}", pod.error.empty() ? "accepted" : pod.error,
                       golden.at("error").dump());
  }
  if (!accepted) return "";
  const ParsedResources asked = parse_resources(task.requests, task.limits, task.target, "task");
  const Resources admin = apply_admin_defaults(asked.resources, loaded.platform);
  const std::string of_admin =
      compare(golden.at("effective_admin"), "effective_admin", admin.limits, admin.requests);
  if (!of_admin.empty()) return of_admin;
  const ResourceRequirements& effective = pod.workload.pod.containers.front().resources;
  return compare(golden.at("effective"), "effective", effective.limits, effective.requests);
}

TEST_CASE("flyteadmin accepts, refuses and caps as recorded") {
  Differences differences("flyteadmin.jsonl");
  for_each_golden("flyteadmin.jsonl", [&](const Json& golden) {
    differences.count();
    if (const std::string text = admin_difference(golden); !text.empty())
      differences.add(golden, text);
  });
  differences.require_none();
}

}  // namespace
}  // namespace gpulint::flyte::test

// What NVIDIA's and KubeRay's own programs and the API server refuse (golden/*.jsonl), and what
// rules say of the same text: every refusal is an error, and what is accepted as written is none.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/api_validation/api_review.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "rules/support/api_problems.h"
#include "tests/harness/golden.h"

namespace {

using namespace gpulint;
using Json = nlohmann::ordered_json;

template <class Judge>
void for_each_case(const std::string& name, Judge judge) {
  for (const Json& golden : test::read_golden(name)) judge(golden);
}

struct Checked {
  std::unique_ptr<Project> project;
  std::vector<Diagnostic> findings;

  [[nodiscard]] bool has(Severity severity, std::set<std::string_view> silent = {}) const {
    return std::ranges::any_of(findings, [&](const Diagnostic& finding) {
      return finding.severity == severity && !silent.contains(finding.rule->id);
    });
  }
  [[nodiscard]] std::string texts() const {
    std::string all;
    for (const Diagnostic& finding : findings) {
      all += std::string(finding.rule->id) + ": " + finding.message + "\n";
    }
    return all;
  }
};

[[nodiscard]] Checked check_text(const std::string& text) {
  Request request;
  request.preview = true;
  request.no_config = true;
  request.paths = {"-"};
  Checked checked{load_project(request, {{"-", text}}), {}};
  checked.findings = check_project(*checked.project, request);
  return checked;
}

/// A document of which nothing tells that it is meant for the program.
[[nodiscard]] bool is_anonymous(const std::string& config,
                                std::initializer_list<std::string_view> marks) {
  return std::ranges::none_of(
      marks, [&](std::string_view mark) { return config.find(mark) != std::string::npos; });
}

/// The text in a ConfigMap.
[[nodiscard]] std::string in_config_map(std::string_view name, std::string_view key,
                                        const std::string& config) {
  const Json object = {{"apiVersion", "v1"},
                       {"kind", "ConfigMap"},
                       {"metadata", {{"name", name}}},
                       {"data", {{key, config}}}};
  return object.dump();
}

}  // namespace

TEST_CASE("whatever stands in a ConfigMap of the reader's name is told of where it is refused") {
  // Of what is accepted and not as written, device-plugin-config and its like may speak.
  const std::set<std::string_view> beyond = {"device-plugin-config", "impossible-mig-layout",
                                             "unknown-mig-profile", "mig-profile-not-on-device",
                                             "duplicate-key"};
  const auto check = [&](const Json& test, std::string_view name, std::string_view key) {
    const std::string config = test["config"];
    CAPTURE(test["id"].get<std::string>(), config);
    const Checked checked = check_text(in_config_map(name, key, config));
    CAPTURE(checked.texts());
    const bool is_refused = !test["accepted"].get<bool>();
    if (is_refused) CHECK(checked.has(Severity::error));
    if (is_refused) return;
    CHECK_FALSE(checked.has(Severity::error, beyond));
    CHECK(checked.texts().find(" the whole file") == std::string::npos);
  };
  for_each_case("device-plugin-config.jsonl", [&](const Json& test) {
    if (test["args"] != Json::array({"--mps-root=/run/nvidia/mps"})) return;
    check(test, "nvidia-device-plugin-configs", "default");
    check(test, "time-slicing-config", "config.yaml");
  });
  for_each_case("mig-config.jsonl",
                [&](const Json& test) { check(test, "default-mig-parted-config", "config.yaml"); });
}

TEST_CASE(
    "rules report every device plugin configuration that the plugin refuses, and only those") {
  // Accepted, and yet not as written: said by device-plugin-config, tested with the model.
  const std::set<std::string_view> beyond = {"device-plugin-config", "duplicate-key"};
  for_each_case("device-plugin-config.jsonl", [&](const Json& test) {
    const std::string config = test["config"];
    // Other arguments than the chart's own are not in the file.
    if (test["args"] != Json::array({"--mps-root=/run/nvidia/mps"})) return;
    CAPTURE(test["id"].get<std::string>(), config);
    const Checked checked = check_text(config);
    CAPTURE(checked.texts());
    const bool is_known = !is_anonymous(config, {"sharing", "flags:\n", "imex", "resources"});
    if (!test["accepted"].get<bool>() && is_known) CHECK(checked.has(Severity::error));
    if (!test["accepted"].get<bool>()) return;
    CHECK_FALSE(checked.has(Severity::error, beyond));
    if (test["warnings"].empty() && test["mps_error"].is_null() && checked.has(Severity::error)) {
      // Then something that was written is not in force.
      CHECK(checked.texts().find("device-plugin-config: ") != std::string::npos);
    }
  });
}

TEST_CASE("rules report every MIG configuration that mig-parted refuses") {
  // Accepted by mig-parted, and impossible on every GPU: tested with the model.
  const std::set<std::string_view> beyond = {"impossible-mig-layout", "unknown-mig-profile",
                                             "mig-profile-not-on-device", "duplicate-key"};
  for_each_case("mig-config.jsonl", [&](const Json& test) {
    const std::string config = test["config"];
    CAPTURE(test["id"].get<std::string>(), config);
    const Checked checked = check_text(config);
    CAPTURE(checked.texts());
    const bool is_known = !is_anonymous(config, {"configs", "onfigs"});
    if (!test["accepted"].get<bool>() && is_known) CHECK(checked.has(Severity::error));
    if (test["accepted"].get<bool>()) CHECK_FALSE(checked.has(Severity::error, beyond));
  });
}

TEST_CASE("rules report every Ray cluster with GPUs that the API server or KubeRay refuses") {
  for_each_case("ray.jsonl", [&](const Json& test) {
    const std::string manifest = test["manifest"];
    CAPTURE(test["id"].get<std::string>(), test["error"].dump(), manifest);
    const Checked checked = check_text(manifest);
    CAPTURE(checked.texts());
    // Rules speak of clusters with accelerators only.
    const bool has_gpus = std::ranges::any_of(
        checked.project->scopes.front().corpus.workloads, [](const Workload& workload) {
          return std::ranges::any_of(workload.pod.containers, [](const Container& container) {
            return bool(container.node.at("resources", "limits").get("nvidia.com/gpu"));
          });
        });
    if (!test["error"].is_null() && has_gpus) CHECK(checked.has(Severity::error));
    // Without the flag Ray counts by itself, so no count is wrong: of the one group that the case
    // is about, the other one of its cluster being without flaw.
    const bool is_left_to_ray = test["error"].is_null() && test["ray_start"]["num-gpus"].is_null();
    const bool scales = manifest.find("enableInTreeAutoscaling: true") != std::string::npos;
    if (is_left_to_ray && !scales) CHECK(checked.texts().find("num-gpus") == std::string::npos);
  });
}

TEST_CASE("rules report what the API server refuses of GPU objects, and nothing that it takes") {
  // Speak of what the API server accepts and what then has no effect, on no node or no longer.
  const std::set<std::string_view> beyond = {"gpu-quota-key",
                                             "alpha-gpu-api",
                                             "partition-on-whole-gpu",
                                             "contradictory-node-affinity",
                                             "mig-strategy-mismatch",
                                             "mig-profile-not-on-device",
                                             "unknown-mig-profile",
                                             "unknown-gpu-resource"};
  for_each_case("api-validation.jsonl", [&](const Json& test) {
    const std::string manifest = test["manifest"];
    CAPTURE(test["id"].get<std::string>(), test["errors"].dump(), test["unknown_fields"].dump(),
            manifest);
    const Checked checked = check_text(manifest);
    CAPTURE(checked.texts());
    if (test["valid"].get<bool>()) {
      std::set<std::string_view> silent = beyond;
      // The scheduler's error, which the API server leaves to it (README-kubernetes.md).
      if (checked.texts().find("requires a whole number") != std::string::npos) {
        silent.insert("invalid-node-selector-requirement");
      }
      CHECK_FALSE(checked.has(Severity::error, silent));
      return;
    }
    const auto problems = checked.project->scopes.front().corpus.api->findings();
    const bool is_about_gpus = std::ranges::any_of(problems, [](const ApiFinding& finding) {
      const std::string& path = finding.problem.path;
      // Of amounts that no container asks for no rule speaks.
      if (path.starts_with("overhead.") || path.starts_with("status.")) return false;
      switch (finding.problem.issue) {
        // Names, other resources and how controllers find pods: as wrong without a GPU, and the
        // business of linters for any manifest.
        case ApiIssue::object_name:
        case ApiIssue::object_namespace:
        case ApiIssue::number_range:
        case ApiIssue::restart_policy:
        case ApiIssue::workload_selector:
        case ApiIssue::template_labels:
        case ApiIssue::runtime_handler:
        case ApiIssue::container_name:
        case ApiIssue::resource_hugepages:
        case ApiIssue::resource_above_limit:
        case ApiIssue::quota_scope:
          return false;
        // Labels that objects carry are told by those linters, those that choose nodes here.
        case ApiIssue::label_key:
        case ApiIssue::label_value:
          return rules::leads_through(finding.problem, "nodeSelector");
        // Of cpu, memory and invented resources nothing is said.
        case ApiIssue::resource_name:
        case ApiIssue::quota_name:
        case ApiIssue::bad_quantity:
          return path.find("gpu") != std::string::npos;
        default:
          return true;
      }
    });
    if (is_about_gpus) CHECK(checked.has(Severity::error));
  });
}

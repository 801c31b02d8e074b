// The facts in this repository say what the reference collection says, and the generated tables
// say what the facts say.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/karpenter_catalog.h"
#include "compiler/model/facts/provider_catalog.h"
#include "tests/harness/golden.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

[[nodiscard]] Json read_json(const fs::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return Json::parse(file);
}

[[nodiscard]] Json read_facts(std::string_view name) {
  return read_json(fs::path(GPULINT_SOURCE_DIR) / "compiler/model/facts" / name);
}

/// Provenance is worded for another reader; everything else must agree.
[[nodiscard]] bool is_provenance(const std::string& key) {
  return key == "source" || key == "evidence" || key == "note" || key == "conflict" ||
         key == "since" || key == "taint_status";
}

void compare_facts(const Json& ours, const Json& theirs, const std::string& path) {
  INFO(path);
  REQUIRE(ours.type() == theirs.type());
  if (ours.is_object()) {
    for (const auto& [key, value] : ours.items()) {
      const bool is_ours = key == "additions" || key == "tpu_devices";  // not in the collection
      if (is_ours || is_provenance(key)) continue;
      REQUIRE(theirs.contains(key));
      compare_facts(value, theirs[key], path + "." + key);
    }
  } else if (ours.is_array()) {
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      compare_facts(ours[i], theirs[i], path + "[" + std::to_string(i) + "]");
    }
  } else {
    REQUIRE(ours == theirs);
  }
}

TEST_CASE("the facts agree with the reference collection") {
  const fs::path reference = GPULINT_SOURCE_DIR "/testdata/golden/facts";
  std::size_t compared = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(reference)) {
    const std::string name = entry.path().stem().string();  // without .gz
    const std::string packed = "golden/facts/" + entry.path().filename().string();
    compare_facts(read_facts(name), Json::parse(test::read_packed(packed)), name);
    ++compared;
  }
  CHECK(compared == 10);
}

TEST_CASE("the MIG tables hold every GPU, profile and placement of the facts") {
  const Json facts = read_facts("mig-profiles.json");
  REQUIRE(facts["gpus"].size() == mig_gpus().size());
  for (std::size_t i = 0; i < mig_gpus().size(); ++i) {
    const Json& row = facts["gpus"][i];
    const MigGpu& gpu = mig_gpus()[i];
    INFO(gpu.name);
    REQUIRE(row["gpu"] == gpu.description);
    REQUIRE(row["compute_slices_total"] == gpu.compute_slices);
    REQUIRE(row["profiles"].size() == gpu.profiles.size());
    for (const Json& profile : row["profiles"]) {
      const MigGpuProfile* ours = find_profile(gpu, profile["profile"].get<std::string>());
      REQUIRE(ours != nullptr);
      REQUIRE(profile["max_instances"] == ours->max_instances);
      if (profile["placement_starts"].is_null()) {
        REQUIRE(ours->placement_starts.empty());
      } else {
        REQUIRE(profile["placement_size"] == ours->placement_size);
        REQUIRE(profile["placement_starts"] ==
                Json(std::vector(ours->placement_starts.begin(), ours->placement_starts.end())));
      }
    }
  }
}

TEST_CASE("the tables are as long as the facts") {
  CHECK(flyte_plugin_keys().size() == read_facts("flyte-k8s-plugin-keys.json").size());
  const Json karpenter = read_facts("karpenter-labels.json");
  CHECK(karpenter_aws_well_known_labels().size() == karpenter["aws_well_known"].size());
  CHECK(karpenter_core_well_known_labels().size() == karpenter["core_well_known"].size());
  CHECK(karpenter_normalized_labels().size() == karpenter["normalized_labels"].size());
  const Json accelerators = read_facts("accelerators.json");
  CHECK(flytekit_accelerators().size() == accelerators["flytekit_v1"].size());
  CHECK(flyte2_accelerators().size() ==
        accelerators["flyte2_sdk"].size() + accelerators["additions"]["flyte2_sdk"].size());
  CHECK(flyte2_backend_devices().size() ==
        accelerators["flyte2_backend_accelerator_devices"].size());
}

TEST_CASE("every API, gate and resource row of the facts is found") {
  const Json facts = read_facts("deprecations.json");
  CHECK(facts["entries"].size() > 50);
  for (const Json& row : facts["entries"]) {
    const std::string what = row["what"];
    INFO(what);
    if (row["kind"] == "api") {
      const std::string kind = row.value("object_kind", Json()).is_string()
                                   ? row["object_kind"].get<std::string>()
                                   : "ResourceClaim";
      const bool is_listed = what.find(kind) != std::string::npos;
      const std::string group = row["group_version"];
      CHECK((find_deprecated_api(group, kind) != nullptr) == is_listed);
    }
    if (row["kind"] == "feature-gate") {
      CHECK(find_deprecation(DeprecationKind::feature_gate, what) != nullptr);
    }
  }
}

}  // namespace
}  // namespace gpulint

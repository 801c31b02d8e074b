#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/mig/mig_layout.h"
#include "golden.h"

namespace gpulint {
namespace {

using test::Json;
using Devices = std::vector<MigDeviceCount>;
using Verdict = MigLayout::Verdict;

[[nodiscard]] std::string compare_profile(const Json& golden) {
  const auto profile = parse_mig_profile(golden["name"].get<std::string>());
  if (profile.has_value() != golden["valid"].get<bool>()) return "valid differs";
  if (!profile) return "";
  const Json ours = {{"c", profile->c},
                     {"g", profile->g},
                     {"gb", profile->gb},
                     {"attributes", profile->attributes},
                     {"neg_attributes", profile->negative_attributes},
                     {"canonical", profile->name()}};
  for (const auto& [key, value] : ours.items()) {
    if (golden[key] != value) return key + " is " + value.dump() + ", not " + golden[key].dump();
  }
  const auto resource = mig_resource_name(*profile);
  const bool is_published = golden["resource_name_valid"] == true;
  if (resource.has_value() != is_published) return "publishing differs";
  return is_published && golden["resource_name"] != *resource ? "resource name " + *resource : "";
}

TEST_CASE("profile names are read as go-nvlib reads them") {
  test::check_golden("profile-names.jsonl", compare_profile);
}

[[nodiscard]] std::string compare_layout(const Json& golden) {
  const auto gpus = mig_gpus_of_product(golden["gpu"].get<std::string>());
  if (gpus.size() != 1) return fmt::format("{} GPUs are meant", gpus.size());
  Devices devices;
  for (const auto& [profile, count] : golden["devices"].items()) {
    devices.push_back({profile, count.get<std::int64_t>()});
  }
  const MigLayout layout = check_mig_layout(*gpus.front(), devices);
  // The tables contradict each other only for names that other sources use.
  const bool is_contradicted = std::ranges::any_of(devices, [&](const MigDeviceCount& device) {
    return find_profile(*gpus.front(), device.profile) == nullptr &&
           has_profile(*gpus.front(), device.profile);
  });
  if (is_contradicted) return layout.verdict == Verdict::unknown ? "" : "contradiction decided";
  if (layout.verdict == Verdict::unknown) return "left open";
  return layout.is_impossible() == golden["possible"].get<bool>() ? "possible differs" : "";
}

TEST_CASE("layouts are possible exactly where the placements allow them") {
  test::check_golden("mig-combos.jsonl", compare_layout);
}

/// Every multiset of base profiles up to one beyond each maximum.
[[nodiscard]] std::size_t count_possible(const MigGpu& gpu, std::size_t next, Devices& devices) {
  if (next == gpu.profiles.size()) {
    return check_mig_layout(gpu, devices).verdict == Verdict::possible ? 1 : 0;
  }
  const MigGpuProfile& profile = gpu.profiles[next];
  const bool is_base = profile.name.find_first_of("+-") == std::string_view::npos;
  std::size_t possible = 0;
  for (std::int64_t count = 0; count <= (is_base ? profile.max_instances + 1 : 0); ++count) {
    devices.push_back({std::string(profile.name), count});
    possible += count_possible(gpu, next + 1, devices);
    devices.pop_back();
  }
  return possible;
}

TEST_CASE("exhaustive counts of layouts equal those of the facts") {
  // testdata/golden/facts/mig-profiles.json.gz, valid_nonempty_multisets_base_profiles; the empty
  // set comes on top.
  Devices devices;
  CHECK(count_possible(*find_mig_gpu("A100-40GB"), 0, devices) == 78);
  CHECK(count_possible(*find_mig_gpu("H200-141GB"), 0, devices) == 78);
  CHECK(count_possible(*find_mig_gpu("A30-24GB"), 0, devices) == 10);
  CHECK(count_possible(*find_mig_gpu("RTX PRO 6000 Blackwell-96GB"), 0, devices) == 10);
}

TEST_CASE("a layout says why it is impossible") {
  const MigGpu& a100 = *find_mig_gpu("A100-40GB");
  const MigLayout many = check_mig_layout(a100, Devices{{"3g.20gb", 3}});
  CHECK(many.verdict == Verdict::too_many);
  CHECK(many.profile == "3g.20gb");
  CHECK(many.limit == 2);
  CHECK(check_mig_layout(a100, Devices{{"3g.40gb", 1}}).verdict == Verdict::no_such_profile);
  CHECK(check_mig_layout(a100, Devices{{"3g.20gb", 2}, {"1g.5gb", 1}}).verdict ==
        Verdict::no_placement);
  CHECK(check_mig_layout(a100, Devices{{"3g.20gb", INT64_MAX}}).verdict == Verdict::too_many);
  CHECK(check_mig_layout(a100, Devices{{"3g.20gb", 0}}).verdict == Verdict::possible);
  CHECK(check_mig_layout(a100, Devices{{"8c.7g.40gb", 1}}).verdict == Verdict::no_such_profile);
  CHECK(check_mig_layout(a100, Devices{{"1c.3g.20gb", 4}}).verdict == Verdict::possible);
  CHECK(check_mig_layout(a100, Devices{{"1c.3g.20gb", 7}}).verdict == Verdict::compute_instances);
}

TEST_CASE("what the facts leave open stays open") {
  const MigGpu& rtx5000 = *find_mig_gpu("RTX PRO 5000 Blackwell-48GB");
  CHECK(check_mig_layout(rtx5000, Devices{{"1g.24gb", 1}}).verdict == Verdict::unknown);
  CHECK(check_mig_layout(rtx5000, Devices{{"1g.24gb", 1}, {"2g.48gb", 1}}).verdict ==
        Verdict::no_placement);
  CHECK(check_mig_layout(*find_mig_gpu("A100-80GB"), Devices{{"7g.79gb", 1}}).verdict ==
        Verdict::unknown);
  CHECK(check_mig_layout(*find_mig_gpu("GB200-186GB"), Devices{{"3g.95gb", 2}}).verdict ==
        Verdict::unknown);
}

TEST_CASE("devices of a node are spread over its GPUs") {
  const MigGpu& a100 = *find_mig_gpu("A100-40GB");
  const auto verdict = [&](std::int64_t gpus, const Devices& devices) {
    return check_node_mig_devices(a100, gpus, devices).verdict;
  };
  CHECK(verdict(8, {{"1g.5gb", 56}}) == Verdict::possible);
  CHECK(verdict(8, {{"1g.5gb", 57}}) == Verdict::too_many);
  // all-balanced on eight GPUs.
  CHECK(verdict(8, {{"1g.5gb", 16}, {"2g.10gb", 8}, {"3g.20gb", 8}}) == Verdict::possible);
  CHECK(verdict(1, {{"3g.20gb", 2}, {"1g.5gb", 1}}) == Verdict::no_placement);
  CHECK(verdict(2, {{"3g.20gb", 2}, {"1g.5gb", 1}}) == Verdict::possible);
  // Two full GPUs and no room for a third kind.
  CHECK(verdict(3, {{"7g.40gb", 2}, {"4g.20gb", 1}, {"3g.20gb", 1}}) == Verdict::possible);
  CHECK(verdict(3, {{"7g.40gb", 2}, {"4g.20gb", 1}, {"3g.20gb", 2}}) == Verdict::no_placement);
  CHECK(verdict(8, {{"1g.10gb", 33}}) == Verdict::too_many);
  CHECK(verdict(2, {{"3g.40gb", 1}}) == Verdict::no_such_profile);
  CHECK(verdict(1, {}) == Verdict::possible);
  CHECK(verdict(0, {{"1g.5gb", 1}}) == Verdict::too_many);
  CHECK(verdict(1000, {{"1g.5gb", 1}}) == Verdict::unknown);
}

TEST_CASE("the search over a node ends") {
  // Every profile at once, at counts that nearly fit sixteen GPUs.
  const Devices devices{{"1g.5gb", 20}, {"1g.5gb+me", 16}, {"1g.10gb", 10}, {"2g.10gb", 14},
                        {"3g.20gb", 6}, {"4g.20gb", 4},    {"7g.40gb", 3}};
  const MigLayout layout = check_node_mig_devices(*find_mig_gpu("A100-40GB"), 16, devices);
  CHECK(layout.verdict != Verdict::too_many);
}

TEST_CASE("resource suffixes give profiles back") {
  CHECK(profile_of_resource_suffix("1g.5gb") == "1g.5gb");
  CHECK(profile_of_resource_suffix("1g.24gb.me.all") == "1g.24gb+me.all");
  CHECK(profile_of_resource_suffix("1g.24gb-me") == "1g.24gb-me");
  CHECK(profile_of_resource_suffix("1g.5gb+me") == std::nullopt);
  CHECK(profile_of_resource_suffix("01g.5gb") == std::nullopt);
  CHECK(profile_of_resource_suffix("1g5gb") == std::nullopt);
  CHECK(label_form("1g.24gb+me.all") == "1g.24gb.me.all");
}

TEST_CASE("misspelt profiles get a suggestion") {
  CHECK(suggest_mig_profile("2g10gb") == "2g.10gb");
  CHECK(suggest_mig_profile("partition_2g_10gb") == "2g.10gb");
  CHECK(suggest_mig_profile("MIG 1g.5gb") == "1g.5gb");
  CHECK(suggest_mig_profile("mig-3g.20gb") == "3g.20gb");
  CHECK(suggest_mig_profile("1G.5GB") == "1g.5gb");
  CHECK(suggest_mig_profile("1g.5gb.me") == "1g.5gb+me");
  CHECK(suggest_mig_profile("1g.24gb-me") == "1g.24gb-me");
  CHECK(suggest_mig_profile("1g.24gb_me_all") == "1g.24gb+me.all");
  CHECK(suggest_mig_profile("8g.80gb") == "7g.80gb");
  CHECK(suggest_mig_profile("1g.5gb+gfx") == "1g.5gb");
  CHECK(suggest_mig_profile("99g.9999999999gb") == std::nullopt);
  CHECK(suggest_mig_profile("nvidia-tesla-t4") == std::nullopt);
  CHECK(suggest_mig_profile("") == std::nullopt);
  const MigGpu* a100 = find_mig_gpu("A100-40GB");
  CHECK(suggest_mig_profile("3g.40gb", std::span(&a100, 1)) == "3g.20gb");
}

}  // namespace
}  // namespace gpulint

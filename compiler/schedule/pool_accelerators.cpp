#include "compiler/schedule/pool_accelerators.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "compiler/model/gpu_resource.h"
#include "compiler/model/provider_catalog.h"

namespace gpulint {
namespace {

using Known = PoolLabel::Known;

[[nodiscard]] bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The letters that EC2 family names begin with: general purpose, compute, memory, storage, HPC.
/// Accelerated ones begin with dl, f, g, gr, inf, p, trn, vt («Amazon EC2 instance type naming
/// conventions», 2025).
constexpr std::array<std::string_view, 14> plain_ec2_letters = {
    "a", "c", "d", "h", "hpc", "i", "im", "is", "m", "r", "t", "u", "x", "z"};

[[nodiscard]] bool is_plain_ec2_category(std::string_view letters) {
  return is_among(plain_ec2_letters, letters);
}

[[nodiscard]] bool is_plain_ec2_family(std::string_view family) {
  const std::size_t digit = family.find_first_of("0123456789");
  return digit != std::string_view::npos && is_plain_ec2_category(family.substr(0, digit));
}

/// Series to which no GPU can be attached («GPUs on Compute Engine», 2025): those are N1, A and G.
constexpr std::array<std::string_view, 13> plain_gce_series = {
    "c2", "c2d", "c3", "c3d", "c4", "e2", "h3", "m1", "m2", "m3", "n2", "n2d", "t2d"};

/// The letters of Azure sizes that are not GPU accelerated («Sizes for virtual machines», 2025).
constexpr std::string_view plain_azure_letters = "ABDEFLM";

[[nodiscard]] bool requires_presence(const PoolLabel& label) {
  return label.known == Known::exact || label.known == Known::one_of ||
         label.known == Known::exists;
}

/// A label of which the value tells: `nvidia.com/gpu.present: "false"`.
[[nodiscard]] bool denies(const PoolLabel& label) {
  return !label.values.empty() && std::ranges::all_of(label.values, [](const std::string& value) {
    return value.empty() || value == "false" || value == "none" || value == "0";
  });
}

[[nodiscard]] bool is_set_for_accelerators(std::string_view key) {
  static constexpr std::array<std::string_view, 6> roles = {"device",  "partition",  "presence",
                                                            "sharing", "tpu device", "vendor"};
  // Values of these that a user sets may well be about nodes without GPUs: `accelerator: none`.
  return std::ranges::any_of(labels_with_key(key), [](const ProviderLabel* label) {
    return is_among(roles, label->role) && label->set_by != "user";
  });
}

[[nodiscard]] bool offers(const std::vector<ResourceEntry>& resources) {
  return std::ranges::any_of(resources, [](const ResourceEntry& entry) {
    const bool is_zero = entry.amount.is_known() && entry.amount.value().is_zero();
    return !is_zero && is_gpu_resource(entry.name.value);
  });
}

/// What one label of a Karpenter pool says of its machines.
[[nodiscard]] bool rules_accelerators_out(const PoolLabel& label) {
  const bool is_listed = label.known == Known::exact || label.known == Known::one_of;
  const auto all = [&](bool (*is_plain)(std::string_view)) {
    return is_listed && !label.values.empty() &&
           std::ranges::all_of(label.values, [&](const std::string& v) { return is_plain(v); });
  };
  if (label.key.ends_with("/instance-category")) return all(is_plain_ec2_category);
  if (label.key.ends_with("/instance-family")) return all(is_plain_ec2_family);
  if (label.key.ends_with("/instance-type")) return all(is_machine_without_accelerators);
  if (label.key.ends_with("/instance-gpu-count")) return label.known == Known::absent;
  return false;
}

}  // namespace

bool is_machine_without_accelerators(std::string_view type) {
  constexpr std::string_view azure = "Standard_";
  if (type.starts_with(azure)) {
    type.remove_prefix(azure.size());
    return !type.empty() && plain_azure_letters.find(type.front()) != std::string_view::npos;
  }
  const std::size_t dot = type.find('.');
  if (dot != std::string_view::npos) return is_plain_ec2_family(type.substr(0, dot));
  const std::size_t dash = type.find('-');
  return dash != std::string_view::npos && is_among(plain_gce_series, type.substr(0, dash));
}

Ternary has_accelerators(const NodePool& pool) {
  if (offers(pool.allocatable) || offers(pool.provider_resources) || !pool.gpu_products.empty()) {
    return Ternary::yes;
  }
  const bool is_labelled = std::ranges::any_of(pool.labels, [](const PoolLabel& label) {
    return requires_presence(label) && !denies(label) && is_set_for_accelerators(label.key);
  });
  if (is_labelled) return Ternary::yes;
  if (pool.resources_complete) return Ternary::no;
  const bool are_plain_machines =
      !pool.machine_types.empty() &&
      std::ranges::all_of(pool.machine_types, [](const Value<std::string>& type) {
        return is_machine_without_accelerators(type.value);
      });
  const bool is_plain =
      are_plain_machines || std::ranges::any_of(pool.labels, rules_accelerators_out);
  return is_plain ? Ternary::no : Ternary::unknown;
}

}  // namespace gpulint

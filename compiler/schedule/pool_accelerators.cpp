#include "compiler/schedule/pool_accelerators.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

using Known = PoolLabel::Known;

[[nodiscard]] bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The first letters of EC2 families: general purpose, compute, memory, storage, HPC; and
/// accelerated ones, except FPGAs and video ("Amazon EC2 instance type naming conventions", 2025).
constexpr std::array<std::string_view, 14> plain_ec2_letters = {
    "a", "c", "d", "h", "hpc", "i", "im", "is", "m", "r", "t", "u", "x", "z"};
constexpr std::array<std::string_view, 6> accelerated_ec2_letters = {"dl",  "g", "gr",
                                                                     "inf", "p", "trn"};

[[nodiscard]] bool is_plain_ec2_category(std::string_view letters) {
  return is_among(plain_ec2_letters, letters);
}

[[nodiscard]] bool is_accelerated_ec2_category(std::string_view letters) {
  return is_among(accelerated_ec2_letters, letters);
}

[[nodiscard]] std::string_view ec2_letters(std::string_view family) {
  const std::size_t digit = family.find_first_of("0123456789");
  return digit == std::string_view::npos ? std::string_view{} : family.substr(0, digit);
}

[[nodiscard]] bool is_plain_ec2_family(std::string_view family) {
  return is_plain_ec2_category(ec2_letters(family));
}

[[nodiscard]] bool is_accelerated_ec2_family(std::string_view family) {
  return is_accelerated_ec2_category(ec2_letters(family));
}

/// Series to which no GPU can be attached. Only N1, A and G can have GPUs ("GPUs on Compute
/// Engine", 2025).
constexpr std::array<std::string_view, 13> plain_gce_series = {
    "c2", "c2d", "c3", "c3d", "c4", "e2", "h3", "m1", "m2", "m3", "n2", "n2d", "t2d"};
/// Series in which every machine has a GPU.
constexpr std::array<std::string_view, 4> accelerated_gce_series = {"a2", "a3", "a4", "g2"};

/// The letters of Azure sizes without GPUs ("Sizes for virtual machines", 2025).
constexpr std::string_view plain_azure_letters = "ABDEFLM";
constexpr char accelerated_azure_letter = 'N';
constexpr std::string_view azure_prefix = "Standard_";

[[nodiscard]] bool requires_presence(const PoolLabel& label) {
  return label.known == Known::exact || label.known == Known::one_of ||
         label.known == Known::exists;
}

/// Whether the value denies what the key says: `nvidia.com/gpu.present: "false"`.
[[nodiscard]] bool denies(const PoolLabel& label) {
  return !label.values.empty() && std::ranges::all_of(label.values, [](const std::string& value) {
    return value.empty() || value == "false" || value == "none" || value == "0";
  });
}

/// A fast filter. Also excludes labels that providers set for other reasons
/// (`eks.amazonaws.com/compute-type`).
[[nodiscard]] bool mentions_accelerators(std::string_view key) {
  static constexpr std::array<std::string_view, 5> words = {"gpu", "accelerator", "tpu", "pci-10de",
                                                            "amd.com/"};
  return std::ranges::any_of(
      words, [&](std::string_view word) { return key.find(word) != std::string_view::npos; });
}

[[nodiscard]] bool is_set_for_accelerators(std::string_view key) {
  static constexpr std::array<std::string_view, 6> roles = {"device",  "partition",  "presence",
                                                            "sharing", "tpu device", "vendor"};
  if (!mentions_accelerators(key)) return false;
  // Users may also set such labels on nodes without GPUs: `accelerator: none`.
  return std::ranges::any_of(labels_with_key(key), [](const ProviderLabel* label) {
    return is_among(roles, label->role) && label->set_by != "user";
  });
}

/// Labels that operators and Node Feature Discovery set only on nodes with such a device: GPU
/// Operator (`gpu.deploy.*`, `mig.config`), AMD's node labeller, NFD rules of NVIDIA, AMD and Intel
/// (PCI vendors 10de and 1002; class 0300 and 0302 display, 1200 accelerator).
constexpr std::array<std::string_view, 12> discovered_prefixes = {
    "nvidia.com/gpu.deploy.",
    "nvidia.com/mig.",
    "amd.com/gpu.",
    "feature.node.kubernetes.io/amd-gpu",
    "feature.node.kubernetes.io/pci-10de",
    "feature.node.kubernetes.io/pci-0300_10de",
    "feature.node.kubernetes.io/pci-0302_10de",
    "feature.node.kubernetes.io/pci-1002",
    "feature.node.kubernetes.io/pci-0300_1002",
    "feature.node.kubernetes.io/pci-1200_1002",
    "intel.feature.node.kubernetes.io/gpu",
    "cloud.google.com/gke-gpu"};

[[nodiscard]] bool is_discovered(const PoolLabel& label) {
  return requires_presence(label) && !denies(label) &&
         std::ranges::any_of(discovered_prefixes, [&](std::string_view prefix) {
           return label.key.starts_with(prefix);
         });
}

/// The label that administrators set on the GPU nodes of gpushare, selected by its DaemonSet
/// (AliyunContainerService/gpushare-scheduler-extender deployer/README.md).
[[nodiscard]] bool is_of_gpushare(const PoolLabel& label) {
  return label.key == "gpushare" && label.has_one_value() && label.values.front() == "true";
}

/// Whether the label is a machine type with accelerators, as cloud controllers set it.
[[nodiscard]] bool is_label_of_gpu_machine(const PoolLabel& label) {
  if (!label.key.ends_with("kubernetes.io/instance-type") || label.known != Known::exact) {
    return false;
  }
  const Machine* const machine =
      label.values.empty() ? nullptr : find_machine(label.values.front());
  return machine != nullptr && !machine->accelerators.empty();
}

/// Whether the taint has a resource as key that only such nodes offer: `nvidia.com/gpu`.
[[nodiscard]] bool is_taint_of_accelerators(const Taint& taint) {
  return taint.key.is_known() && is_gpu_resource(taint.key.value()) &&
         taint.key.value().find('/') != std::string::npos;
}

[[nodiscard]] bool offers(const std::vector<ResourceEntry>& resources) {
  return std::ranges::any_of(resources, [](const ResourceEntry& entry) {
    const bool is_zero = entry.amount.is_known() && entry.amount.value().is_zero();
    return !is_zero && is_gpu_resource(entry.name.value);
  });
}

[[nodiscard]] bool is_machine_with_accelerators(std::string_view type) {
  if (type.starts_with(azure_prefix)) {
    return type.substr(azure_prefix.size()).starts_with(accelerated_azure_letter);
  }
  const std::size_t dot = type.find('.');
  if (dot != std::string_view::npos) return is_accelerated_ec2_family(type.substr(0, dot));
  const std::size_t dash = type.find('-');
  return dash != std::string_view::npos && is_among(accelerated_gce_series, type.substr(0, dash));
}

/// Whether all possible values of the label are known, and `is_such` accepts each.
[[nodiscard]] bool all_values(const PoolLabel& label, bool (*is_such)(std::string_view)) {
  const bool is_listed = label.known == Known::exact || label.known == Known::one_of;
  return is_listed && !label.values.empty() &&
         std::ranges::all_of(label.values, [&](const std::string& v) { return is_such(v); });
}

/// Whether a label of a Karpenter pool excludes machines with accelerators.
[[nodiscard]] bool rules_accelerators_out(const PoolLabel& label) {
  if (label.key.ends_with("/instance-category")) return all_values(label, is_plain_ec2_category);
  if (label.key.ends_with("/instance-family")) return all_values(label, is_plain_ec2_family);
  if (label.key.ends_with("/instance-type")) {
    return all_values(label, is_machine_without_accelerators);
  }
  if (label.key.ends_with("/instance-gpu-count")) return label.known == Known::absent;
  return false;
}

[[nodiscard]] bool promises_accelerators(const PoolLabel& label) {
  if (label.key.ends_with("/instance-category")) {
    return all_values(label, is_accelerated_ec2_category);
  }
  if (label.key.ends_with("/instance-family")) return all_values(label, is_accelerated_ec2_family);
  // Karpenter sets these labels only on types with a GPU, whatever the value.
  const bool is_gpu_label = label.key.find("/instance-gpu-") != std::string::npos;
  return is_gpu_label && requires_presence(label) && !denies(label);
}

}  // namespace

bool lacks_driver(const PoolLabel& label) {
  return label.key == "cloud.google.com/gke-gpu-driver-version" && !label.values.empty() &&
         label.values.front() == "disabled";
}

bool is_machine_without_accelerators(std::string_view type) {
  if (const Machine* const machine = find_machine(type)) {
    return machine->accelerators.empty() && !machine->is_open;
  }
  if (type.starts_with(azure_prefix)) {
    type.remove_prefix(azure_prefix.size());
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
  if (is_labelled || std::ranges::any_of(pool.labels, promises_accelerators) ||
      std::ranges::any_of(pool.labels, is_discovered) ||
      std::ranges::any_of(pool.labels, is_of_gpushare) ||
      std::ranges::any_of(pool.labels, is_label_of_gpu_machine) ||
      std::ranges::any_of(pool.taints, is_taint_of_accelerators)) {
    return Ternary::yes;
  }
  if (pool.resources_complete) return Ternary::no;
  const auto are_all = [&](bool (*is_such)(std::string_view)) {
    return !pool.machine_types.empty() &&
           std::ranges::all_of(pool.machine_types,
                               [&](const Value<std::string>& type) { return is_such(type.value); });
  };
  if (are_all(is_machine_with_accelerators)) return Ternary::yes;
  const bool is_plain = are_all(is_machine_without_accelerators) ||
                        std::ranges::any_of(pool.labels, rules_accelerators_out);
  return is_plain ? Ternary::no : Ternary::unknown;
}

bool looks_like_gpu_nodes(const NodePool& pool) {
  return has_accelerators(pool) == Ternary::yes ||
         std::ranges::any_of(pool.taints, [](const Taint& taint) {
           return is_gpu_taint(taint.key.value_or(""), taint.value.value_or(""));
         });
}

}  // namespace gpulint

#include "compiler/flyte/suggest_accelerator.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool is_device(std::string_view text) {
  const auto tpus = tpu_device_values();
  return !find_device(text).empty() || std::ranges::find(tpus, text) != tpus.end() ||
         std::ranges::any_of(flytekit_accelerators(),
                             [&](const FlyteAccelerator& each) { return each.device == text; }) ||
         std::ranges::any_of(flyte2_accelerators(), [&](const FlyteAccelerator& each) {
           return each.device == text || each.constant == text;
         });
}

/// Whether a part of a product's name is called so: there are more GPUs than Flyte's SDKs know.
[[nodiscard]] bool is_part_of_a_product(std::string_view text) {
  for (const DeviceName& each : device_names()) {
    for (std::string_view rest : {each.value, each.product}) {
      while (!rest.empty()) {
        if (equal_fold(take_part(rest, '-'), text)) return true;
      }
    }
  }
  return std::ranges::any_of(mig_gpus(), [&](const MigGpu& gpu) {
    return std::ranges::any_of(gpu.families,
                               [&](std::string_view family) { return equal_fold(family, text); });
  });
}

[[nodiscard]] const FlyteAccelerator* find_folded(std::string_view constant) {
  for (const FlyteAccelerator& each : flytekit_accelerators()) {
    if (equal_fold(each.constant, constant)) return &each;
  }
  return nullptr;
}

/// `a100-1g.5gb`, `A100_2g_10gb`: a constant and a partition that it has.
[[nodiscard]] std::string suggest_partition(std::string_view text) {
  static const RE2 pattern(R"((?i)([a-z0-9_]+?)[-_. :/]+(?:mig[-_. ]*)?([1-7]g)[._-](\d+gb))");
  std::string constant;
  std::string slices;
  std::string memory;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern, &constant, &slices,
                      &memory)) {
    return {};
  }
  const FlyteAccelerator* const known = find_folded(constant);
  const std::string size = to_lower(slices) + "." + to_lower(memory);
  if (known == nullptr || std::ranges::find(known->partitions, size) == known->partitions.end()) {
    return {};
  }
  return fmt::format("{}.partition_{}_{}", known->constant, to_lower(slices), to_lower(memory));
}

/// Whether one letter differs. There are GPUs called L40 beside L40S, and K40 beside K80: in short
/// names a letter more or less, or the first, makes another name.
[[nodiscard]] bool is_slip(std::string_view device, std::string_view name) {
  constexpr std::size_t shortest = 4;
  constexpr std::size_t long_enough = 8;
  const bool is_long = name.size() >= long_enough;
  if (device.size() < shortest || (!is_long && device.size() != name.size())) return false;
  return equal_fold(device.substr(0, 1), name.substr(0, 1)) &&
         edit_distance(to_lower(device), to_lower(name), 1) <= 1;
}

}  // namespace

std::string suggest_accelerator(std::string_view device) {
  if (is_device(device)) return {};
  if (std::string partition = suggest_partition(device); !partition.empty()) return partition;
  if (const FlyteAccelerator* const known = find_folded(device))
    return std::string(known->constant);
  if (is_part_of_a_product(device)) return {};
  std::vector<std::string_view> names;
  for (const FlyteAccelerator& each : flytekit_accelerators()) {
    names.insert(names.end(), {each.constant, each.device});
  }
  const auto is_meant = [&](std::string_view name) { return is_slip(device, name); };
  const auto meant = std::ranges::find_if(names, is_meant);
  return meant == names.end() ? std::string() : std::string(*meant);
}

}  // namespace gpulint::flyte

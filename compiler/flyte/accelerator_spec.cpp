#include <algorithm>

#include <fmt/format.h>

#include "compiler/flyte/task.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// flytekit spells a partition as an attribute: `partition_2g_10gb` is `2g.10gb`.
[[nodiscard]] std::optional<std::string> partition_of_attribute(std::string_view attribute) {
  for (const std::string_view prefix : {"partition_", "slice_"}) {
    if (!attribute.starts_with(prefix)) continue;
    std::string size(attribute.substr(prefix.size()));
    std::ranges::replace(size, '_', '.');
    return size;
  }
  return std::nullopt;
}

/// Applies `.partition_…`, `.slice_…` or `.unpartitioned` to a flytekit constant.
void apply_attribute(const FlyteAccelerator& accelerator, std::string_view attribute,
                     AcceleratorSpec& spec) {
  if (attribute == "unpartitioned" && !accelerator.partitions.empty()) {
    spec.unpartitioned = true;
    return;
  }
  const auto size = partition_of_attribute(attribute);
  if (size && std::ranges::find(accelerator.partitions, *size) != accelerator.partitions.end()) {
    spec.partition_size = size;
    return;
  }
  spec.problem = fmt::format("flytekit's `{}` has no `{}`", accelerator.constant, attribute);
}

[[nodiscard]] AcceleratorSpec spec_of(const FlyteAccelerator& accelerator) {
  AcceleratorSpec spec;
  spec.device = accelerator.device;
  spec.device_class = accelerator.device_class;
  return spec;
}

[[nodiscard]] AcceleratorSpec parse_flyte2(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool has_count = colon != std::string_view::npos && all_digits(text.substr(colon + 1));
  const std::string_view name = has_count ? text.substr(0, colon) : text;
  AcceleratorSpec spec;
  spec.device = name;
  if (const FlyteAccelerator* found = find_accelerator(flyte2_accelerators(), name)) {
    spec = spec_of(*found);
  }
  if (has_count) spec.count = text.substr(colon + 1);
  return spec;
}

}  // namespace

AcceleratorSpec parse_accelerator(std::string_view text, FlyteVersion version) {
  if (version == FlyteVersion::v2 && (text.find(':') != std::string_view::npos ||
                                      find_accelerator(flyte2_accelerators(), text) != nullptr)) {
    return parse_flyte2(text);
  }
  const std::size_t dot = text.find('.');
  const FlyteAccelerator* found = find_accelerator(flytekit_accelerators(), text.substr(0, dot));
  AcceleratorSpec spec;
  spec.device = text;
  if (found == nullptr) return spec;
  spec = spec_of(*found);
  if (dot != std::string_view::npos) apply_attribute(*found, text.substr(dot + 1), spec);
  return spec;
}

}  // namespace gpulint::flyte

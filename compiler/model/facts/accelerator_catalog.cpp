#include "compiler/model/facts/accelerator_catalog.h"

#include <algorithm>

namespace gpulint {
namespace {

#include "tables/accelerators.inc"

}  // namespace

std::span<const FlyteAccelerator> flytekit_accelerators() { return flytekit_table; }
std::span<const FlyteAccelerator> flyte2_accelerators() { return flyte2_table; }
std::span<const BackendDevice> flyte2_backend_devices() { return backend_device_table; }
std::span<const DeviceName> device_names() { return device_name_table; }
std::span<const std::string_view> tpu_device_values() { return tpu_table; }

const FlyteAccelerator* find_accelerator(std::span<const FlyteAccelerator> accelerators,
                                         std::string_view constant) {
  const auto found = std::ranges::find(accelerators, constant, &FlyteAccelerator::constant);
  return found == accelerators.end() ? nullptr : &*found;
}

std::vector<const DeviceName*> find_device(std::string_view value) {
  std::vector<const DeviceName*> result;
  for (const DeviceName& device : device_name_table) {
    if (device.value == value) result.push_back(&device);
  }
  return result;
}

std::vector<std::string_view> device_values_in(DeviceVocabulary vocabulary,
                                               std::string_view value) {
  std::vector<std::string_view> result;
  const std::vector<const DeviceName*> known = find_device(value);
  for (const DeviceName& other : device_name_table) {
    const auto is_same = [&](const DeviceName* name) { return name->product == other.product; };
    if (other.vocabulary == vocabulary && std::ranges::any_of(known, is_same) &&
        std::ranges::find(result, other.value) == result.end()) {
      result.push_back(other.value);
    }
  }
  return result;
}

std::vector<const DeviceName*> gpus_of_instance_type(std::string_view instance_type) {
  const std::string_view family = instance_type.substr(0, instance_type.find('.'));
  std::vector<const DeviceName*> result;
  for (const DeviceName& device : device_name_table) {
    if (std::ranges::find(device.families, family) != device.families.end()) {
      result.push_back(&device);
    }
  }
  return result;
}

}  // namespace gpulint

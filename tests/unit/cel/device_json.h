#pragma once

#include <nlohmann/json.hpp>

#include "compiler/cel/selector.h"

namespace gpulint::test {

[[nodiscard]] inline cel::Attribute read_attribute(const nlohmann::json& json) {
  const std::string kind = json.begin().key();
  const nlohmann::json& value = json.begin().value();
  if (kind == "bool") return value.get<bool>();
  if (kind == "int") return value.get<std::int64_t>();
  if (kind == "string") return value.get<std::string>();
  if (kind == "version") return cel::VersionText{value.get<std::string>()};
  if (kind == "bools") return value.get<std::vector<bool>>();
  if (kind == "ints") return value.get<std::vector<std::int64_t>>();
  if (kind == "versions") {
    std::vector<cel::VersionText> versions;
    for (const auto& one : value) versions.push_back({one.get<std::string>()});
    return versions;
  }
  return value.get<std::vector<std::string>>();
}

/// A device as a ResourceSlice lists it, with its driver.
[[nodiscard]] inline cel::DeviceView read_device(const nlohmann::json& json,
                                                 const std::string& driver) {
  cel::DeviceView device;
  device.driver = driver;
  device.allows_many = json.value("allowMultipleAllocations", false);
  if (json.contains("attributes")) {
    for (const auto& [name, value] : json["attributes"].items()) {
      device.attributes.emplace_back(name, read_attribute(value));
    }
  }
  if (json.contains("capacity")) {
    for (const auto& [name, value] : json["capacity"].items()) {
      device.capacity.emplace_back(name, Quantity::parse(value["value"].get<std::string>()));
    }
  }
  return device;
}

}  // namespace gpulint::test

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

using Consumption = std::map<std::string, Quantity>;

/// What a request would take from a device's capacities.
struct CapacityAnswer {
  enum class Kind : std::uint8_t {
    fits,
    too_little,  ///< This device has too little.
    error        ///< The scheduler stops: the amount exceeds its arithmetic.
  };
  Kind kind = Kind::fits;
  Consumption taken;  ///< If it fits.
};
[[nodiscard]] Consumption sum_of(const std::vector<Consumption>& shares);
/// `used`: what others have already taken. Facts: k8s.io/dynamic-resource-allocation v0.37
/// (consumable_capacity.go). Ranges are whole numbers: devices with others are unknown.
[[nodiscard]] CapacityAnswer take_capacity(const Device& device, const Amounts& requests,
                                           const Consumption& used);

}  // namespace gpulint::dra

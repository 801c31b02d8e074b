#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

using Consumption = std::map<std::string, Quantity>;

/// What a request would take of a device's capacities.
struct CapacityAnswer {
  enum class Kind : std::uint8_t {
    fits,
    too_little,  ///< This device cannot give it.
    error        ///< The scheduler gives the pod up: the amount is beyond its arithmetic.
  };
  Kind kind = Kind::fits;
  Consumption taken;  ///< Where it fits.
};
[[nodiscard]] Consumption sum_of(const std::vector<Consumption>& shares);
/// `used`: what others take already.
/// Facts: k8s.io/dynamic-resource-allocation v0.37 (consumable_capacity.go). Ranges are whole:
/// devices with others are open.
[[nodiscard]] CapacityAnswer take_capacity(const Device& device, const Amounts& requests,
                                           const Consumption& used);

}  // namespace gpulint::dra

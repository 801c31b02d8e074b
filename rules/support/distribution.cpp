#include "rules/support/distribution.h"

namespace gpulint::rules {

std::optional<Distribution> distribution_of(std::string_view kubelet_version) {
  const auto has = [&](std::string_view mark) {
    return kubelet_version.find(mark) != std::string_view::npos;
  };
  if (has("+k3s")) return Distribution::k3s;
  if (has("+rke2")) return Distribution::rke2;
  if (has("+k0s")) return Distribution::k0s;
  return std::nullopt;
}

}  // namespace gpulint::rules

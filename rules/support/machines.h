#pragma once

#include <string>

#include "compiler/model/cluster.h"

namespace gpulint::rules {

/// «pool `gpu` is made of `g4ad.2xlarge`»; empty where its machines are not known.
[[nodiscard]] std::string describe_machines(const NodePool& pool);

}  // namespace gpulint::rules

#pragma once

#include <string_view>

#include "compiler/model/workload.h"

namespace gpulint::rules::daemonset_on_plain_nodes {

/// The vendor without whose device the DaemonSet's pods exit on a node (`nvidia.com`); empty of
/// those that wait for one, and of all others.
[[nodiscard]] std::string_view device_that_it_needs(const Workload& workload);

}  // namespace gpulint::rules::daemonset_on_plain_nodes

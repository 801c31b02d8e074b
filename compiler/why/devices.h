#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// Whether the label tells devices apart: known as such, or what the task's configuration names.
[[nodiscard]] bool is_device_label(std::string_view key, const Subject& subject);
/// The same of partition sizes.
[[nodiscard]] bool is_partition_label(std::string_view key, const Subject& subject);

/// The accelerators that nodes of a pool offer, `NAME: AMOUNT`, sorted.
[[nodiscard]] std::vector<std::string> offered_accelerators(const NodePool& pool);

/// The value that nodes of the pool are known to carry; empty where none is.
[[nodiscard]] std::string label_value(const NodePool& pool, std::string_view key);

/// The devices that a label certainly names: by a name that means nothing else, or under a key that
/// is for devices. Pools are called `t4`, too.
[[nodiscard]] std::vector<const DeviceName*> devices_named_by(const PoolLabel& label);

/// Whether nodes carry a device's name that means the product that `device` means: Flyte's
/// `nvidia-tesla-a100` and NVIDIA's `NVIDIA-A100-SXM4-40GB` do.
[[nodiscard]] bool has_product(const NodePool& pool, std::string_view device);

/// What nodes of the pool call the device that they have, where it is certainly none of that
/// product; empty elsewhere.
[[nodiscard]] std::string other_device(const NodePool& pool, std::string_view device);

}  // namespace gpulint::why

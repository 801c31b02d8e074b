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

/// Whether the label's value names a device: by its known role, or by the task's configuration.
[[nodiscard]] bool is_device_label(std::string_view key, const Subject& subject);
/// The same for partition sizes.
[[nodiscard]] bool is_partition_label(std::string_view key, const Subject& subject);

/// The accelerators that nodes of a pool offer, `NAME: AMOUNT`, sorted.
[[nodiscard]] std::vector<std::string> offered_accelerators(const NodePool& pool);

/// The known value of a label of the pool's nodes; empty if unknown.
[[nodiscard]] std::string label_value(const NodePool& pool, std::string_view key);

/// The devices that a label certainly names: by an unambiguous name, or under a key for devices. A
/// value such as `t4` may also be the name of a pool.
[[nodiscard]] std::vector<const DeviceName*> devices_named_by(const PoolLabel& label);

/// Whether a label of the nodes names the same product as `device`: for example, Flyte's
/// `nvidia-tesla-a100` and NVIDIA's `NVIDIA-A100-SXM4-40GB`.
[[nodiscard]] bool has_product(const NodePool& pool, std::string_view device);

/// The name of the pool's device if it is certainly another product than `device`; else empty.
[[nodiscard]] std::string other_device(const NodePool& pool, std::string_view device);

}  // namespace gpulint::why

#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/model/workload.h"

namespace gpulint {

/// Whether a node label says something about GPUs or comparable accelerators: one that a vendor or
/// a provider sets for them, or any other that speaks of `gpu` or `accelerator`.
[[nodiscard]] bool is_gpu_label(std::string_view key);

/// Whether a taint or toleration is about GPU nodes: keyed by a GPU resource or label, or with such
/// a value (`sku=gpu`).
[[nodiscard]] bool is_gpu_taint(std::string_view key, std::string_view value);

/// How a pod comes to concern GPU nodes.
enum class GpuRelation : std::uint8_t {
  none,
  selection,  ///< Requests none, but its nodeSelector or required affinity names a GPU label.
  request,    ///< A container requests one, misspelt names included.
};
[[nodiscard]] GpuRelation gpu_relation(const PodSpec& pod);

/// Whether the container asks for a GPU: by a resource that is not zero, or by a claim (DRA).
[[nodiscard]] bool requests_gpu(const Container& container);
[[nodiscard]] bool requests_gpu(const PodSpec& pod);
/// Whether any container does, or may: what is templated counts as asking.
[[nodiscard]] bool may_request_gpu(const PodSpec& pod);

/// Whether a toleration is one that the API server refuses: other rules speak of it, and what was
/// meant by it is open.
[[nodiscard]] bool is_refused(const Toleration& toleration);

}  // namespace gpulint

#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/model/workload.h"

namespace gpulint {

/// Whether a node label describes GPUs or similar accelerators: a vendor or provider sets it for
/// them, or its key contains `gpu` or `accelerator`.
[[nodiscard]] bool is_gpu_label(std::string_view key);

/// Whether a taint or toleration is for GPU nodes: its key is a GPU resource or label, or its value
/// names GPUs (`sku=gpu`).
[[nodiscard]] bool is_gpu_taint(std::string_view key, std::string_view value);

/// How a pod relates to GPU nodes.
enum class GpuRelation : std::uint8_t {
  none,
  selection,  ///< Requests no GPU, but its nodeSelector or required affinity names a GPU label.
  request,    ///< A container requests a GPU; misspelt names count.
};
[[nodiscard]] GpuRelation gpu_relation(const PodSpec& pod);

/// Whether the container requests a GPU: by a resource that is not zero, or by a claim (DRA).
[[nodiscard]] bool requests_gpu(const Container& container);
[[nodiscard]] bool requests_gpu(const PodSpec& pod);
/// Whether any container requests a GPU or may: unknown amounts count.
[[nodiscard]] bool may_request_gpu(const PodSpec& pod);

/// Whether the API server rejects the toleration. Other rules report it.
[[nodiscard]] bool is_refused(const Toleration& toleration);

}  // namespace gpulint

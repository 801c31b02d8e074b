#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint {

/// A number of instances of one profile on one GPU.
struct MigDeviceCount {
  std::string profile;
  std::int64_t count = 0;
};

/// Whether a set of MIG devices can exist together on one GPU.
struct MigLayout {
  enum class Verdict : std::uint8_t {
    possible,
    no_such_profile,    ///< This GPU has no profile of this name.
    too_many,           ///< More instances of `profile` than `limit`.
    no_placement,       ///< Each alone would fit, but no arrangement without overlap exists.
    compute_instances,  ///< Compute instances (`1c.7g.40gb`) need more GPU instances than fit.
    unknown             ///< The facts do not decide: no placements known, or contradicting sources.
  };
  Verdict verdict = Verdict::possible;
  std::string profile{};   ///< The profile of no_such_profile and too_many.
  std::int64_t limit = 0;  ///< For too_many.

  [[nodiscard]] bool is_impossible() const {
    return verdict != Verdict::possible && verdict != Verdict::unknown;
  }
};

/// Searches over the start positions that the GPU offers; ignores counts that are zero or negative.
/// Profiles must be well-formed names, including compute instances.
[[nodiscard]] MigLayout check_mig_layout(const MigGpu& gpu,
                                         std::span<const MigDeviceCount> devices);

/// The same for a node with `gpu_count` equal GPUs: whether the devices can be spread over them.
/// Nodes do not publish compute instances, which read as no_such_profile. `unknown` if the search
/// would take too long.
[[nodiscard]] MigLayout check_node_mig_devices(const MigGpu& gpu, std::int64_t gpu_count,
                                               std::span<const MigDeviceCount> devices);

}  // namespace gpulint

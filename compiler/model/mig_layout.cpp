#include "compiler/model/mig_layout.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "compiler/model/mig_profile.h"

namespace gpulint {
namespace {

using Verdict = MigLayout::Verdict;
using SliceMask = std::uint32_t;

/// GPU instances of one profile; `compute` lists compute instances that must share some of them.
struct InstanceDemand {
  const MigGpuProfile* profile = nullptr;
  std::int64_t whole = 0;
  std::vector<std::int64_t> compute;
};

/// More than any GPU holds: larger counts are all alike.
constexpr std::int64_t count_limit = 64;

/// The fewest GPU instances of `slices` compute slices that hold the compute instances. First-fit
/// decreasing is exact here: up to three slices by the sizes that exist, and larger instances are
/// there once per GPU, so only the sum counts.
[[nodiscard]] std::int64_t instances_for(std::vector<std::int64_t> compute, std::int64_t slices) {
  std::ranges::sort(compute, std::greater{});
  std::vector<std::int64_t> free;
  for (const std::int64_t size : compute) {
    const auto room = std::ranges::find_if(free, [&](std::int64_t left) { return left >= size; });
    if (room == free.end()) {
      free.push_back(slices - size);
    } else {
      *room -= size;
    }
  }
  return static_cast<std::int64_t>(free.size());
}

/// Reads the counts; a layout is returned where a name already decides.
[[nodiscard]] std::optional<MigLayout> collect(const MigGpu& gpu,
                                               std::span<const MigDeviceCount> devices,
                                               std::map<std::string, InstanceDemand>& demands) {
  bool contradicted = false;
  for (const MigDeviceCount& device : devices) {
    if (device.count <= 0) continue;
    const std::optional<MigProfile> profile = parse_mig_profile(device.profile);
    if (!profile) return MigLayout{.verdict = Verdict::no_such_profile, .profile = device.profile};
    const std::string name = profile->instance_name();
    const MigGpuProfile* known = find_profile(gpu, name);
    if (known == nullptr) {
      if (!has_profile(gpu, name)) {
        return MigLayout{.verdict = Verdict::no_such_profile, .profile = device.profile};
      }
      contradicted = true;
      continue;
    }
    InstanceDemand& demand = demands[name];
    demand.profile = known;
    const std::int64_t count = std::min(device.count, count_limit);
    if (profile->is_whole_instance()) {
      demand.whole += count;
    } else if (profile->c == 0 || profile->c > profile->g) {
      return MigLayout{.verdict = Verdict::no_such_profile, .profile = device.profile};
    } else {
      const auto room = count_limit - static_cast<std::int64_t>(demand.compute.size());
      demand.compute.insert(demand.compute.end(),
                            static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, room)),
                            profile->c);
    }
  }
  if (contradicted) return MigLayout{.verdict = Verdict::unknown};
  return std::nullopt;
}

/// Profiles to be placed, equal ones next to each other.
using Instances = std::vector<const MigGpuProfile*>;

/// Places instances from `next` on. Equal instances go to rising starts, so that orders of equal
/// ones are tried once; at most 12 slices bound the depth.
[[nodiscard]] bool can_place(const Instances& instances, std::size_t next, SliceMask used,
                             std::size_t first_start) {
  if (next == instances.size()) return true;
  const MigGpuProfile& profile = *instances[next];
  const SliceMask shape = (SliceMask{1} << profile.placement_size) - 1;
  for (std::size_t i = first_start; i < profile.placement_starts.size(); ++i) {
    const SliceMask place = shape << profile.placement_starts[i];
    if ((used & place) != 0) continue;
    const bool next_is_equal =
        next + 1 < instances.size() && instances[next + 1] == instances[next];
    if (can_place(instances, next + 1, used | place, next_is_equal ? i + 1 : 0)) return true;
  }
  return false;
}

/// Without placements only the counts decide, and a fitting count proves nothing.
[[nodiscard]] Verdict place_by_slices(const MigGpu& gpu, const Instances& instances) {
  int slices = 0;
  for (const MigGpuProfile* profile : instances) slices += profile->compute_slices;
  const bool fits = slices <= gpu.compute_slices && instances.size() <= gpu.max_instances;
  return fits ? Verdict::unknown : Verdict::no_placement;
}

[[nodiscard]] Verdict place(const MigGpu& gpu, Instances instances) {
  if (gpu.memory_slices == 0) return place_by_slices(gpu, instances);
  int slices = 0;
  for (const MigGpuProfile* profile : instances) slices += profile->placement_size;
  if (slices > gpu.memory_slices) return Verdict::no_placement;
  std::ranges::stable_sort(instances, [](const MigGpuProfile* a, const MigGpuProfile* b) {
    return a->placement_size != b->placement_size ? a->placement_size > b->placement_size
                                                  : a->name < b->name;
  });
  return can_place(instances, 0, 0, 0) ? Verdict::possible : Verdict::no_placement;
}

}  // namespace

MigLayout check_mig_layout(const MigGpu& gpu, std::span<const MigDeviceCount> devices) {
  std::map<std::string, InstanceDemand> demands;
  if (const std::optional<MigLayout> decided = collect(gpu, devices, demands)) return *decided;
  Instances instances;
  bool has_compute_instances = false;
  for (const auto& [name, demand] : demands) {
    const std::int64_t limit = demand.profile->max_instances;
    const std::int64_t shared = instances_for(demand.compute, demand.profile->compute_slices);
    has_compute_instances = has_compute_instances || shared > 0;
    if (demand.whole + shared > limit) {
      if (shared > 0) return {.verdict = Verdict::compute_instances, .profile = name};
      return {.verdict = Verdict::too_many, .profile = name, .limit = limit};
    }
    instances.insert(instances.end(), static_cast<std::size_t>(demand.whole + shared),
                     demand.profile);
  }
  const Verdict verdict = place(gpu, std::move(instances));
  if (verdict == Verdict::no_placement && has_compute_instances) {
    return {.verdict = Verdict::compute_instances};
  }
  return {.verdict = verdict};
}

std::vector<const MigGpu*> gpus_for_layout(std::span<const MigDeviceCount> devices) {
  std::vector<const MigGpu*> result;
  for (const MigGpu& gpu : mig_gpus()) {
    if (!check_mig_layout(gpu, devices).is_impossible()) result.push_back(&gpu);
  }
  return result;
}

}  // namespace gpulint

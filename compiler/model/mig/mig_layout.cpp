#include "compiler/model/mig/mig_layout.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/model/facts/mig_profile.h"

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

/// More than any GPU has: larger counts are all equal.
constexpr std::int64_t count_limit = 64;
/// More GPUs than any node has; also bounds the depth of the search.
constexpr std::int64_t gpu_limit = 64;

/// The fewest GPU instances of `slices` compute slices for the compute instances. First-fit
/// decreasing is exact here: up to three slices by the existing sizes, and a GPU has a larger
/// instance only once, so only the sum counts.
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

/// Reads the counts; returns a layout if a name already decides.
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

/// Profiles to place, equal ones next to each other.
using Instances = std::vector<const MigGpuProfile*>;

/// Places instances from `next` on. Equal instances take rising starts, so their orders are tried
/// once; at most 12 slices bound the depth.
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

/// Counts of instances, one for each profile.
using Counts = std::vector<std::int64_t>;

/// Spreads instances over equal GPUs: each GPU takes one of the fullest possible layouts.
class NodeSpreader {
 public:
  NodeSpreader(const MigGpu& gpu, std::vector<const MigGpuProfile*> profiles)
      : gpu_(gpu), profiles_(std::move(profiles)) {
    Counts counts(profiles_.size());
    list_layouts(0, counts);
  }

  [[nodiscard]] Verdict spread(const Counts& wanted, std::int64_t gpus) {
    if (fits(wanted, gpus)) return Verdict::possible;
    return steps_ > step_limit ? Verdict::unknown : Verdict::no_placement;
  }

 private:
  static constexpr int step_limit = 20000;

  /// Appends the full layouts that begin with `counts`: those with no space for another instance.
  void list_layouts(std::size_t next, Counts& counts) {
    if (next == profiles_.size()) {
      if (is_full(counts)) layouts_.push_back(counts);
      return;
    }
    for (counts[next] = 0; is_possible(counts); ++counts[next]) list_layouts(next + 1, counts);
    counts[next] = 0;
  }

  [[nodiscard]] bool is_possible(const Counts& counts) const {
    Instances instances;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > profiles_[i]->max_instances) return false;
      instances.insert(instances.end(), static_cast<std::size_t>(counts[i]), profiles_[i]);
    }
    return place(gpu_, std::move(instances)) == Verdict::possible;
  }

  [[nodiscard]] bool is_full(Counts counts) const {
    for (std::int64_t& count : counts) {
      ++count;
      if (is_possible(counts)) return false;
      --count;
    }
    return true;
  }

  [[nodiscard]] bool fits(const Counts& wanted, std::int64_t gpus) {
    const auto first = std::ranges::find_if(wanted, [](std::int64_t count) { return count > 0; });
    if (first == wanted.end()) return true;
    if (gpus == 0 || ++steps_ > step_limit || !failed_.insert({gpus, wanted}).second) return false;
    const auto profile = static_cast<std::size_t>(first - wanted.begin());
    for (const Counts& layout : layouts_) {
      if (layout[profile] == 0) continue;
      Counts left = wanted;
      for (std::size_t i = 0; i < left.size(); ++i) left[i] -= std::min(left[i], layout[i]);
      if (fits(left, gpus - 1)) return true;
    }
    return false;
  }

  const MigGpu& gpu_;
  std::vector<const MigGpuProfile*> profiles_;
  std::vector<Counts> layouts_;
  std::set<std::pair<std::int64_t, Counts>> failed_;
  int steps_ = 0;
};

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

MigLayout check_node_mig_devices(const MigGpu& gpu, std::int64_t gpu_count,
                                 std::span<const MigDeviceCount> devices) {
  std::vector<const MigGpuProfile*> profiles;
  Counts wanted;
  for (const MigDeviceCount& device : devices) {
    if (device.count <= 0) continue;
    const MigGpuProfile* profile = find_profile(gpu, device.profile);
    if (profile == nullptr) {
      if (has_profile(gpu, device.profile)) return {.verdict = Verdict::unknown};
      return {.verdict = Verdict::no_such_profile, .profile = device.profile};
    }
    const std::int64_t limit =
        profile->max_instances * std::clamp(gpu_count, INT64_C(0), gpu_limit);
    if (device.count > limit) {
      return {.verdict = Verdict::too_many, .profile = device.profile, .limit = limit};
    }
    const auto known = std::ranges::find(profiles, profile);
    if (known == profiles.end()) {
      profiles.push_back(profile);
      wanted.push_back(device.count);
    } else {
      wanted[static_cast<std::size_t>(known - profiles.begin())] += device.count;
    }
  }
  if (gpu.memory_slices == 0 || gpu_count > gpu_limit) return {.verdict = Verdict::unknown};
  return {.verdict = NodeSpreader(gpu, std::move(profiles)).spread(wanted, gpu_count)};
}

}  // namespace gpulint

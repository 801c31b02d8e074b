#include "compiler/model/mig_config_checks.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "compiler/model/mig_profile.h"

namespace gpulint {
namespace {

using MigProblemKind = MigConfigProblem::Kind;

/// Go's strconv.ParseUint(text, 0, 32), underscores left out: nobody writes them here.
[[nodiscard]] std::optional<std::uint32_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    text.remove_prefix(base != 8 || mark == 'o' ? 2 : 1);
  }
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

[[nodiscard]] std::vector<const MigGpu*> gpus_of_filter(const MigDeviceFilter& filter) {
  if (!filter.device_id) return {};
  return gpus_with_device_id(fmt::format("0x{:08X}", *filter.device_id));
}

/// Why the devices cannot be on any of `gpus`; empty where they can, or the facts leave it open.
[[nodiscard]] std::string impossibility(const MigConfigEntry& entry,
                                        const std::vector<const MigGpu*>& gpus) {
  std::string reason;
  for (const MigGpu* gpu : gpus) {
    const MigLayout layout = check_mig_layout(*gpu, entry.mig_devices);
    if (!layout.is_impossible()) return "";
    if (layout.verdict == MigLayout::Verdict::too_many) {
      reason = fmt::format("{} holds at most {} of `{}`", gpu->name, layout.limit, layout.profile);
    } else if (layout.verdict != MigLayout::Verdict::no_such_profile) {
      reason = fmt::format("no placement on {} holds them together", gpu->name);
    } else if (gpus.size() == 1) {
      reason = fmt::format("{} has no profile `{}`", gpu->name, layout.profile);
    }
  }
  return reason.empty() ? "no GPU has all of these profiles" : reason;
}

class EntryChecker {
 public:
  EntryChecker(const MigConfigEntry& entry, const std::string& config,
               std::vector<MigConfigProblem>& problems)
      : entry_(entry), config_(config), problems_(problems) {}

  void check_filters() {
    constexpr std::uint32_t nvidia = 0x10DE;
    for (const MigDeviceFilter& filter : entry_.filters) {
      if (!filter.device_id) {
        report(MigProblemKind::invalid_filter, filter.node);
      } else if ((*filter.device_id & 0xFFFF) != nvidia) {
        report(MigProblemKind::unknown_filter, filter.node);
      }
    }
  }

  /// Spelling and counts; true where every profile exists on one of `gpus`.
  [[nodiscard]] bool check_profiles(const std::vector<const MigGpu*>& gpus) {
    constexpr std::size_t more_than_any_gpu_has = 64;
    const std::size_t checked = std::min(entry_.mig_devices.size(), more_than_any_gpu_has);
    bool all_exist = true;
    const std::vector<const MigGpu*> meant = gpus_with_the_most(gpus, checked);
    for (std::size_t i = 0; i < checked; ++i) {
      const MigDeviceCount& device = entry_.mig_devices[i];
      const Node node = entry_.mig_device_nodes[i];
      const MigProfile profile = parse_mig_profile(device.profile).value_or(MigProfile{});
      if (device.count == 0) report(MigProblemKind::zero_count, node);
      if (profile.name() != device.profile) {
        report(MigProblemKind::unusual_spelling, node, profile.name());
      }
      const std::string name = profile.instance_name();
      const auto has_it = [&](const MigGpu* gpu) { return has_profile(*gpu, name); };
      if (std::ranges::any_of(gpus, has_it)) continue;
      all_exist = false;
      report(MigProblemKind::unknown_profile, node,
             std::string(suggest_mig_profile(name, meant).value_or("")));
    }
    return all_exist;
  }

  /// Each filter picks a model of its own, so the devices must fit every one of them.
  void check_layout(const std::vector<const MigGpu*>& all) {
    std::string reason;
    if (!entry_.has_filter) reason = impossibility(entry_, all);
    for (const MigDeviceFilter& filter : entry_.filters) {
      const std::vector<const MigGpu*> gpus = gpus_of_filter(filter);
      if (!gpus.empty() && reason.empty()) reason = impossibility(entry_, gpus);
    }
    if (!reason.empty()) report(MigProblemKind::impossible_layout, entry_.mig_devices_node, reason);
  }

 private:
  /// Those of `gpus` that have the most of the first profiles: a misspelt one is one of theirs.
  [[nodiscard]] std::vector<const MigGpu*> gpus_with_the_most(
      const std::vector<const MigGpu*>& gpus, std::size_t first) const {
    std::vector<const MigGpu*> best;
    std::ptrdiff_t most = 0;
    for (const MigGpu* gpu : gpus) {
      const auto has = std::ranges::count_if(
          std::span(entry_.mig_devices).first(first), [&](const MigDeviceCount& device) {
            const auto profile = parse_mig_profile(device.profile);
            return profile && has_profile(*gpu, profile->instance_name());
          });
      if (has > most) best.clear();
      most = std::max(most, has);
      if (has == most) best.push_back(gpu);
    }
    return best;
  }

  void report(MigProblemKind kind, Node node, std::string detail = {}) {
    problems_.push_back({kind, node, config_, std::move(detail)});
  }

  const MigConfigEntry& entry_;
  const std::string& config_;
  std::vector<MigConfigProblem>& problems_;
};

}  // namespace

void check_mig_entry(const MigConfigEntry& entry, const std::string& config,
                     std::vector<MigConfigProblem>& problems) {
  EntryChecker checker(entry, config, problems);
  checker.check_filters();
  const std::vector<const MigGpu*> gpus = gpus_of_entry(entry);
  // No GPU known: a model newer than the facts, or a placeholder.
  if (gpus.empty() || !entry.mig_enabled) return;
  if (checker.check_profiles(gpus)) checker.check_layout(gpus);
}

std::vector<const MigGpu*> gpus_of_entry(const MigConfigEntry& entry) {
  std::vector<const MigGpu*> result;
  if (entry.opaque_filter) return result;
  if (!entry.has_filter) {
    for (const MigGpu& gpu : mig_gpus()) result.push_back(&gpu);
    return result;
  }
  for (const MigDeviceFilter& filter : entry.filters) {
    const std::vector<const MigGpu*> gpus = gpus_of_filter(filter);
    if (filter.device_id && gpus.empty()) return {};
    result.insert(result.end(), gpus.begin(), gpus.end());
  }
  return result;
}

std::optional<std::uint32_t> parse_device_filter(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::optional<std::uint32_t> device = parse_number(text.substr(0, colon));
  if (colon == std::string_view::npos || !device) return device;
  return parse_number(text.substr(colon + 1)) ? device : std::nullopt;
}

}  // namespace gpulint

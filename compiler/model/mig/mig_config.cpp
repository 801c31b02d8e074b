#include "compiler/model/mig/mig_config.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/go_json.h"

namespace gpulint {
namespace {

using MigProblemKind = MigConfigProblem::Kind;

constexpr std::string_view file_fields[] = {"version", "mig-configs"};

constexpr std::string_view entry_fields[] = {"devices", "device-filter", "mig-enabled",
                                             "mig-devices"};

[[nodiscard]] std::string nearest_field(std::string_view field,
                                        std::span<const std::string_view> fields) {
  return std::string(nearest(field, fields).value_or(""));
}

/// Reads one file; `config_` is the current configuration.
class MigConfigReader {
 public:
  [[nodiscard]] MigConfigFile read(Node root);

 private:
  void read_version(Node version);
  void read_configs(Node configs);
  void read_config(const JsonMember& member);
  void read_entry(Node node, MigConfigEntry& entry);
  void read_devices(Node node, MigConfigEntry& entry);
  void read_filter(Node node, MigConfigEntry& entry);
  void read_mig_devices(Node node, MigConfigEntry& entry);
  void check_enabled(Node node, const MigConfigEntry& entry);

  void report(MigProblemKind kind, Node node, std::string detail = {}) {
    file_.problems.push_back({kind, node, config_, std::move(detail)});
  }
  /// Whether a placeholder hides the value.
  [[nodiscard]] bool skip_opaque(Node node) {
    file_.opaque = file_.opaque || node.is_opaque();
    return node.is_opaque();
  }

  /// The likely profile; the number of searches is bounded for hostile files.
  [[nodiscard]] std::string suggest(std::string_view profile) {
    constexpr int enough = 200;
    if (++suggestions_ > enough) return "";
    return std::string(suggest_mig_profile(profile).value_or(""));
  }

  MigConfigFile file_;
  std::string config_;
  int suggestions_ = 0;
};

MigConfigFile MigConfigReader::read(Node root) {
  file_.root = root;
  if (!root || is_json_null(root) || skip_opaque(root)) return std::move(file_);
  if (!root.is_mapping()) {
    report(MigProblemKind::not_a_mapping, root);
    return std::move(file_);
  }
  if (const Node unreadable = find_unreadable(root)) report(MigProblemKind::unreadable, unreadable);
  bool has_version = false;
  const std::vector<JsonMember> members = decode_object(root);
  for (const JsonMember& member : members) {
    if (member.opaque_key) {
      file_.opaque = true;
    } else if (member.key == "version") {
      has_version = true;
      read_version(member.value);
    } else if (member.key == "mig-configs") {
      read_configs(member.value);
    } else {
      report(MigProblemKind::unexpected_field, member.value,
             nearest_field(member.key, file_fields));
    }
  }
  if (!has_version && !members.empty() && !file_.opaque) {
    report(MigProblemKind::missing_field, root, "version");
  }
  return std::move(file_);
}

void MigConfigReader::read_version(Node version) {
  if (skip_opaque(version)) return;
  const Field<std::string> text = decode_string(version);
  if (text.is_mistyped()) {
    report(MigProblemKind::mistyped, version, "string");
  } else if (text.value_or("") != "v1") {
    report(MigProblemKind::unknown_version, version);
  }
}

void MigConfigReader::read_configs(Node configs) {
  if (skip_opaque(configs)) return;
  if (!configs.is_mapping() && !is_json_null(configs)) {
    report(MigProblemKind::mistyped, configs, "mapping");
    return;
  }
  const std::vector<JsonMember> members = decode_object(configs);
  if (members.empty()) report(MigProblemKind::no_configs, configs);
  for (const JsonMember& member : members) {
    if (member.opaque_key) file_.opaque = true;
    config_ = member.key;
    read_config(member);
    config_.clear();
  }
}

void check_mig_entry(const MigConfigEntry& entry, const std::string& config,
                     std::vector<MigConfigProblem>& problems);

void MigConfigReader::read_config(const JsonMember& member) {
  const std::size_t problems_before = file_.problems.size();
  MigNamedConfig config{
      .name = member.key, .name_node = member.key_node, .node = member.value, .entries = {}};
  const std::vector<Node> items = member.value.items();
  if (skip_opaque(member.value)) {
    file_.configs.push_back(std::move(config));
    return;
  }
  if (!member.value.is_sequence() && !is_json_null(member.value)) {
    report(MigProblemKind::mistyped, member.value, "list");
  } else if (items.empty()) {
    report(MigProblemKind::no_configs, member.value);
  }
  for (const Node item : items) {
    if (skip_opaque(item)) continue;
    MigConfigEntry entry{.node = item};
    const std::size_t before = file_.problems.size();
    read_entry(item, entry);
    if (file_.problems.size() == before) check_mig_entry(entry, config_, file_.problems);
    config.entries.push_back(std::move(entry));
  }
  const auto is_refused = [](const MigConfigProblem& problem) { return problem.is_refused(); };
  config.accepted =
      std::none_of(file_.problems.begin() + static_cast<std::ptrdiff_t>(problems_before),
                   file_.problems.end(), is_refused);
  file_.configs.push_back(std::move(config));
}

void MigConfigReader::read_entry(Node node, MigConfigEntry& entry) {
  if (!node.is_mapping() && !is_json_null(node)) {
    report(MigProblemKind::mistyped, node, "mapping");
    return;
  }
  bool has_devices = false;
  Node enabled;
  bool has_unknown_key = false;
  for (const JsonMember& member : decode_object(node)) {
    if (member.opaque_key) {
      file_.opaque = has_unknown_key = true;
    } else if (member.key == "devices") {
      has_devices = true;
      read_devices(member.value, entry);
    } else if (member.key == "device-filter") {
      read_filter(member.value, entry);
    } else if (member.key == "mig-enabled") {
      enabled = member.value;
    } else if (member.key == "mig-devices") {
      read_mig_devices(member.value, entry);
    } else {
      report(MigProblemKind::unexpected_field, member.value,
             nearest_field(member.key, entry_fields));
    }
  }
  if (has_unknown_key) return;
  if (!has_devices) report(MigProblemKind::missing_field, node, "devices");
  if (!enabled) report(MigProblemKind::missing_field, node, "mig-enabled");
  if (enabled && !skip_opaque(enabled)) {
    const Field<bool> value = decode_bool(enabled);
    entry.mig_enabled = value.value_or(false);
    if (value.is_mistyped()) report(MigProblemKind::mistyped, enabled, "boolean");
    if (!value.is_mistyped()) check_enabled(node, entry);
  }
}

void MigConfigReader::read_devices(Node node, MigConfigEntry& entry) {
  if (skip_opaque(node)) return;
  if (!node.is_sequence()) {
    entry.all_devices = decode_string(node).equals("all");
    if (!entry.all_devices) report(MigProblemKind::invalid_devices, node);
    return;
  }
  for (const Node item : node.items()) {
    if (skip_opaque(item)) continue;
    const Field<std::int64_t> index = decode_int(item);
    if (index.is_mistyped()) report(MigProblemKind::invalid_devices, item);
    entry.devices.push_back(index.value_or(0));
  }
  constexpr std::int64_t more_than_any_node_has = 64;
  const auto is_index = [](std::int64_t index) {
    return index >= 0 && index < more_than_any_node_has;
  };
  if (std::ranges::none_of(entry.devices, is_index) && !file_.opaque) {
    report(MigProblemKind::no_devices, node);
  }
}

/// Go's strconv.ParseUint(text, 0, 32), without underscores, which are not used here.
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

/// `0x20B010DE` or `0x20B010DE:0x134F10DE`, numbers as in Go; nullopt if invalid.
[[nodiscard]] std::optional<std::uint32_t> parse_device_filter(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::optional<std::uint32_t> device = parse_number(text.substr(0, colon));
  if (colon == std::string_view::npos || !device) return device;
  return parse_number(text.substr(colon + 1)) ? device : std::nullopt;
}

void MigConfigReader::read_filter(Node node, MigConfigEntry& entry) {
  const std::vector<Node> items = node.is_sequence() ? node.items() : std::vector<Node>{node};
  entry.has_filter = !items.empty();
  for (const Node item : items) {
    if (skip_opaque(item)) {
      entry.opaque_filter = true;
      continue;
    }
    const Field<std::string> text = decode_string(item);
    if (text.is_mistyped()) {
      report(MigProblemKind::mistyped, item, "string");
      continue;
    }
    entry.filters.push_back({text.value_or(""), item, parse_device_filter(text.value_or(""))});
  }
}

void MigConfigReader::read_mig_devices(Node node, MigConfigEntry& entry) {
  entry.mig_devices_node = node;
  if (skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) {
    report(MigProblemKind::mistyped, node, "mapping");
    return;
  }
  bool all_known = true;
  for (const JsonMember& member : decode_object(node)) {
    const Field<std::int64_t> count = decode_int(member.value);
    if (member.opaque_key || count.is_opaque()) {
      file_.opaque = true;
      all_known = false;
      continue;
    }
    if (count.is_mistyped()) report(MigProblemKind::mistyped, member.value, "integer");
    if (count.value_or(0) < 0) report(MigProblemKind::negative_count, member.value);
    if (check_mig_profile(member.key) != MigProfileProblem::none) {
      report(MigProblemKind::invalid_profile, member.value, suggest(member.key));
    }
    all_known = all_known && !count.is_mistyped();
    entry.mig_devices.push_back({member.key, count.value_or(0)});
    entry.mig_device_nodes.push_back(member.value);
  }
  const auto is_zero = [](const MigDeviceCount& device) { return device.count == 0; };
  if (all_known && !entry.mig_devices.empty() && std::ranges::all_of(entry.mig_devices, is_zero)) {
    report(MigProblemKind::all_counts_zero, node);
  }
}

void MigConfigReader::check_enabled(Node node, const MigConfigEntry& entry) {
  const Node devices = entry.mig_devices_node;
  if (!entry.mig_enabled && !entry.mig_devices.empty()) {
    report(MigProblemKind::devices_without_mig, devices);
  }
  if (entry.mig_enabled && (!devices || is_json_null(devices))) {
    report(MigProblemKind::missing_field, node, "mig-devices");
  }
}

using MigProblemKind = MigConfigProblem::Kind;

[[nodiscard]] std::vector<const MigGpu*> gpus_of_filter(const MigDeviceFilter& filter) {
  if (!filter.device_id) return {};
  return gpus_with_device_id(fmt::format("0x{:08X}", *filter.device_id));
}

/// Why the devices cannot be on any of `gpus`; empty if they can, or if the facts do not decide.
[[nodiscard]] std::string impossibility(const MigConfigEntry& entry,
                                        const std::vector<const MigGpu*>& gpus) {
  std::string reason;
  for (const MigGpu* gpu : gpus) {
    const MigLayout layout = check_mig_layout(*gpu, entry.mig_devices);
    if (!layout.is_impossible()) return "";
    if (layout.verdict == MigLayout::Verdict::too_many) {
      reason =
          fmt::format("{} can hold at most {} of `{}`", gpu->name, layout.limit, layout.profile);
    } else if (layout.verdict != MigLayout::Verdict::no_such_profile) {
      reason = fmt::format("{} has no placement for this combination", gpu->name);
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

  /// Checks spelling and counts; returns true if every profile exists on one of `gpus`.
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

  /// Each filter selects its own model, so the devices must fit every one of them.
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
  /// Those of `gpus` that have most of the first profiles, to suggest one for a misspelt profile.
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

/// Adds problems that mig-parted accepts in a well-formed entry without doing what is written.
void check_mig_entry(const MigConfigEntry& entry, const std::string& config,
                     std::vector<MigConfigProblem>& problems) {
  EntryChecker checker(entry, config, problems);
  checker.check_filters();
  const std::vector<const MigGpu*> gpus = gpus_of_entry(entry);
  // no known GPU: a model newer than the facts, or a placeholder
  if (gpus.empty() || !entry.mig_enabled) return;
  if (checker.check_profiles(gpus)) checker.check_layout(gpus);
}

}  // namespace

bool MigNamedConfig::makes_several_sizes() const {
  std::size_t partitioned = 0;
  for (const MigConfigEntry& entry : entries) {
    if (!entry.mig_enabled) continue;
    ++partitioned;
    const auto is_made = [](const MigDeviceCount& device) { return device.count > 0; };
    if (std::ranges::count_if(entry.mig_devices, is_made) < 2) return false;
  }
  return partitioned > 0;
}

bool MigConfigFile::accepted() const {
  return std::ranges::none_of(problems, &MigConfigProblem::is_refused);
}

const MigNamedConfig* MigConfigFile::find(std::string_view name) const {
  const auto found = std::ranges::find(configs, name, &MigNamedConfig::name);
  return found == configs.end() ? nullptr : &*found;
}

MigConfigFile read_mig_config(Node root) { return MigConfigReader().read(root); }

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

}  // namespace gpulint

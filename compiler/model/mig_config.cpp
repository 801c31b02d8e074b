#include "compiler/model/mig_config.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/model/go_json.h"
#include "compiler/model/mig_config_checks.h"
#include "compiler/model/mig_profile.h"

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

/// Reads one file; `config_` is the configuration at hand.
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
  /// True for a value that a placeholder leaves open.
  [[nodiscard]] bool skip_opaque(Node node) {
    file_.opaque = file_.opaque || node.is_opaque();
    return node.is_opaque();
  }

  /// The profile that was meant; not searched for without end in a hostile file.
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

}  // namespace gpulint

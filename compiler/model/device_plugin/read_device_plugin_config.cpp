#include <algorithm>
#include <array>
#include <set>

#include "compiler/base/text.h"
#include "compiler/model/device_plugin/device_plugin_config.h"
#include "compiler/model/device_plugin/device_plugin_sharing.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/mig_profile.h"

namespace gpulint {
namespace {

using device_plugin::Findings;
using device_plugin::Key;
using device_plugin::Section;
using device_plugin::Strategy;
using device_plugin::ValueType;
using PluginProblemKind = DevicePluginProblem::Kind;

constexpr std::string_view gpu_resource = "nvidia.com/gpu";

/// A flag's text after parsing, as validation sees it.
struct TextFlag {
  std::optional<std::string> value;  ///< nullopt: the default.
  Node node;
  bool is_zeroed = false;  ///< Emptied by a misplaced key.
};

/// Reads one file; keeps the flags that validation and sharing need.
class DevicePluginReader {
 public:
  explicit DevicePluginReader(const DevicePluginFlags& flags) : flags_(flags) {}
  [[nodiscard]] DevicePluginConfig read(Node root);

 private:
  void read_version(Node version);
  void read_flags(Node node);
  void read_flag_group(Node node, const Section& section);
  void read_flag(const JsonMember& member, const Key& key);
  void read_texts(Node node, const Key& key);
  void report_zeroed(const JsonMember& member, const Key& key);
  void refuse_flag(const TextFlag& flag, PluginProblemKind kind, Node node,
                   std::string detail = {});
  void read_sharing(Node node);
  void read_imex(Node node);
  void settle_sharing();
  void validate();
  void validate_mps();
  void note_sharing();
  [[nodiscard]] bool may_exist(std::string_view name) const;

  const DevicePluginFlags& flags_;
  DevicePluginConfig config_;
  Findings findings_{config_};
  TextFlag mig_strategy_;
  TextFlag mps_root_;
  TextFlag discovery_;
  std::vector<std::string_view> flags_given_;
  Strategy time_slicing_;
  Strategy mps_;
};

DevicePluginConfig DevicePluginReader::read(Node root) {
  if (findings_.skip_opaque(root)) return std::move(config_);
  if (root && !root.is_mapping() && !is_json_null(root)) {
    findings_.refuse(PluginProblemKind::not_a_mapping, root);
    return std::move(config_);
  }
  if (const Node unreadable = find_unreadable(root)) {
    findings_.refuse(PluginProblemKind::unreadable, unreadable);
  }
  for (const JsonMember& member : findings_.known_members(root, device_plugin::top_section)) {
    if (member.opaque_key) continue;
    if (member.key == "version") read_version(member.value);
    if (member.key == "flags") read_flags(member.value);
    if (member.key == "resources") device_plugin::read_resources(member.value, findings_);
    if (member.key == "sharing") read_sharing(member.value);
    if (member.key == "imex") read_imex(member.value);
  }
  settle_sharing();
  validate();
  note_sharing();
  return std::move(config_);
}

void DevicePluginReader::read_version(Node version) {
  if (findings_.skip_opaque(version)) return;
  const Field<std::string> text = decode_string(version);
  if (text.is_mistyped() || (text.value_or("") != "v1" && !text.value_or("").empty())) {
    findings_.refuse(PluginProblemKind::unknown_version, version);
  }
}

void DevicePluginReader::read_flags(Node node) {
  if (findings_.skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) return findings_.refuse(PluginProblemKind::mistyped, node, "mapping");
  const auto members = findings_.known_members(node, device_plugin::flags_section);
  for (const JsonMember& member : members) {
    const Key* key = device_plugin::find_key(device_plugin::flags_section, member.key);
    if (member.opaque_key || key == nullptr) continue;
    flags_given_.push_back(key->name);
    read_flag(member, *key);
  }
  for (const JsonMember& member : members) {
    if (member.opaque_key) continue;
    if (member.key == "plugin") read_flag_group(member.value, device_plugin::plugin_section);
    if (member.key == "gfd") read_flag_group(member.value, device_plugin::gfd_section);
  }
}

void DevicePluginReader::read_flag_group(Node node, const Section& section) {
  if (findings_.skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) return findings_.refuse(PluginProblemKind::mistyped, node, "mapping");
  for (const JsonMember& member : decode_object(node)) {
    if (member.opaque_key) {
      findings_.mark_opaque();
    } else if (const Key* key = device_plugin::find_key(section, member.key)) {
      read_flag(member, *key);
    } else if (const Key* flag =
                   device_plugin::find_key(device_plugin::flags_section, member.key)) {
      report_zeroed(member, *flag);
    } else {
      findings_.report_dropped(member, section);
    }
  }
}

void DevicePluginReader::read_flag(const JsonMember& member, const Key& key) {
  const Node node = member.value;
  if (key.type == ValueType::any || findings_.skip_opaque(node) || is_json_null(node)) return;
  if (key.type == ValueType::boolean) return static_cast<void>(findings_.read_bool(node));
  if (key.type == ValueType::texts) return read_texts(node, key);
  if (key.type == ValueType::duration) {
    const Field<std::string> text = decode_string(node);
    const bool is_readable =
        is_json_number(node) || (text.is_known() && is_go_duration(text.value()));
    if (!is_readable) findings_.refuse(PluginProblemKind::invalid_value, node);
    return;
  }
  const std::optional<std::string> text = findings_.read_text(node);
  if (key.name == "migStrategy") mig_strategy_ = {text, node};
  if (key.name == "mpsRoot") mps_root_ = {text, node};
  if (key.name == "deviceDiscoveryStrategy") discovery_ = {text, node};
  const bool is_checked_later = key.name == "migStrategy" || key.name == "deviceDiscoveryStrategy";
  if (!text || key.values.empty() || is_checked_later) return;
  if (std::ranges::find(key.values, *text) == key.values.end()) {
    findings_.refuse(PluginProblemKind::invalid_value, node,
                     std::string(nearest(*text, key.values).value_or("")),
                     DevicePluginProblem::Stage::validate);
  }
}

void DevicePluginReader::read_texts(Node node, const Key& key) {
  const std::vector<Node> items = node.is_sequence() ? node.items() : std::vector<Node>{node};
  if (items.empty())
    findings_.refuse(PluginProblemKind::invalid_value, node, "",
                     DevicePluginProblem::Stage::validate);
  for (const Node item : items) {
    if (findings_.skip_opaque(item)) continue;
    const Field<std::string> text = decode_string(item);
    if (text.is_mistyped()) {
      findings_.refuse(PluginProblemKind::mistyped, item, "string");
    } else if (std::ranges::find(key.values, text.value_or("")) == key.values.end()) {
      findings_.refuse(PluginProblemKind::invalid_value, item,
                       std::string(nearest(text.value_or(""), key.values).value_or("")),
                       DevicePluginProblem::Stage::validate);
    }
  }
}

/// sigs.k8s.io/yaml finds such a key in `flags` and sets a zero value there, which replaces the
/// default, but not `flags` itself or the command line.
void DevicePluginReader::report_zeroed(const JsonMember& member, const Key& key) {
  const bool is_given = std::ranges::find(flags_given_, key.name) != flags_given_.end();
  const std::string place = "flags." + std::string(key.name);
  if (is_given)
    return findings_.note(PluginProblemKind::misplaced_key, member.key_node.value(), place);
  findings_.note(PluginProblemKind::zeroed_flag, member.value, place);
  if (key.name == "migStrategy") mig_strategy_ = {"", member.value, true};
  if (key.name == "mpsRoot") mps_root_ = {"", member.value, true};
  if (key.name == "deviceDiscoveryStrategy") discovery_ = {"", member.value, true};
}

/// A misplaced key that stops the start is one problem, not two.
void DevicePluginReader::refuse_flag(const TextFlag& flag, PluginProblemKind kind, Node node,
                                     std::string detail) {
  if (!flag.is_zeroed)
    return findings_.refuse(kind, node, std::move(detail), DevicePluginProblem::Stage::validate);
  for (DevicePluginProblem& problem : config_.problems) {
    if (problem.kind == PluginProblemKind::zeroed_flag && problem.node == flag.node) {
      problem.stage = DevicePluginProblem::Stage::validate;
    }
  }
}

void DevicePluginReader::read_sharing(Node node) {
  if (findings_.skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) return findings_.refuse(PluginProblemKind::mistyped, node, "mapping");
  for (const JsonMember& member : findings_.known_members(node, device_plugin::sharing_section)) {
    if (member.key == "timeSlicing") {
      time_slicing_ = device_plugin::read_strategy(member.value, findings_);
    } else if (member.key == "mps" && !is_json_null(member.value)) {
      mps_ = device_plugin::read_strategy(member.value, findings_);
    }
  }
}

void DevicePluginReader::read_imex(Node node) {
  if (findings_.skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) return findings_.refuse(PluginProblemKind::mistyped, node, "mapping");
  for (const JsonMember& member : findings_.known_members(node, device_plugin::imex_section)) {
    if (member.key == "required") static_cast<void>(findings_.read_bool(member.value));
    if (member.key != "channelIDs" || findings_.skip_opaque(member.value)) continue;
    if (!member.value.is_sequence() && !is_json_null(member.value)) {
      findings_.refuse(PluginProblemKind::mistyped, member.value, "list");
    }
    const std::vector<Node> items = member.value.items();
    const auto is_zero = [](Node item) {
      return item.is_opaque() || decode_int(item).value_or(item.is_null() ? 0 : -1) == 0;
    };
    for (const Node item : items) {
      if (decode_int(item).is_mistyped())
        findings_.refuse(PluginProblemKind::mistyped, item, "integer");
    }
    if (items.size() > 1 || !std::ranges::all_of(items, is_zero)) {
      findings_.refuse(PluginProblemKind::invalid_value, member.value, "[0]",
                       DevicePluginProblem::Stage::validate);
    }
  }
}

void DevicePluginReader::settle_sharing() {
  using Sharing = DevicePluginConfig::Sharing;
  const bool uses_mps = mps_.node && !mps_.resources.empty();
  const Strategy& strategy = uses_mps ? mps_ : time_slicing_;
  if (uses_mps && time_slicing_.node) {
    findings_.note(PluginProblemKind::shadowed_time_slicing, time_slicing_.node);
  }
  config_.mig_strategy = flags_.mig_strategy.value_or(mig_strategy_.value.value_or("none"));
  if (strategy.resources.empty()) return;
  config_.sharing = uses_mps ? Sharing::mps : Sharing::time_slicing;
  config_.sharing_node = strategy.node;
  config_.replicated = strategy.resources;
  config_.fail_requests_greater_than_one = strategy.fail_requests_greater_than_one;
  // with MPS a request for several replicas fails unless the configuration says otherwise
  if (uses_mps && !config_.fail_requests_greater_than_one) {
    config_.fail_requests_greater_than_one = true;
  }
}

void DevicePluginReader::validate() {
  const auto check = [&](const TextFlag& flag, std::string_view name, const std::string& value) {
    const Key* key = device_plugin::find_key(device_plugin::flags_section, name);
    if (std::ranges::find(key->values, value) != key->values.end()) return;
    refuse_flag(flag, PluginProblemKind::invalid_value, flag.node,
                std::string(nearest(value, key->values).value_or("")));
  };
  check(mig_strategy_, "migStrategy", config_.mig_strategy);
  check(discovery_, "deviceDiscoveryStrategy", discovery_.value.value_or("auto"));
  const auto& channels = flags_.imex_channel_ids;
  if (channels.size() > 1 || (channels.size() == 1 && channels[0] != 0)) {
    findings_.refuse(PluginProblemKind::invalid_value, {}, "[0]",
                     DevicePluginProblem::Stage::validate);
  }
  if (config_.sharing == DevicePluginConfig::Sharing::mps) validate_mps();
}

void DevicePluginReader::validate_mps() {
  const Node node = mig_strategy_.node ? mig_strategy_.node : mps_.node;
  if (config_.mig_strategy == "mixed") {
    findings_.refuse(PluginProblemKind::mps_with_mixed, node, "",
                     DevicePluginProblem::Stage::validate);
  }
  if (config_.mig_strategy == "single") findings_.note(PluginProblemKind::mps_with_mig, node);
  const bool has_root =
      flags_.mps_root ? !flags_.mps_root->empty() : !mps_root_.value.value_or("").empty();
  if (!has_root) {
    refuse_flag(mps_root_, PluginProblemKind::mps_without_root,
                mps_root_.node ? mps_root_.node : mps_.node);
  }
}

/// Entries that parse but share nothing, or more than is possible.
void DevicePluginReader::note_sharing() {
  constexpr std::int64_t mps_clients = 48;
  std::set<std::string_view> names;
  for (const ReplicatedResource& resource : config_.replicated) {
    if (resource.name.empty()) continue;
    if (config_.sharing == DevicePluginConfig::Sharing::mps && resource.replicas > mps_clients) {
      findings_.note(PluginProblemKind::too_many_replicas, resource.node.get("replicas"));
    }
    if (!names.insert(resource.name).second) {
      findings_.note(PluginProblemKind::duplicate_resource, resource.node);
    }
    if (!may_exist(resource.name)) {
      findings_.note(PluginProblemKind::unmatched_resource, resource.node.get("name"),
                     config_.mig_strategy);
    }
  }
}

/// Whether devices with this name can exist. The strategy may also come from the environment, so
/// MIG names are checked only if it is stated.
bool DevicePluginReader::may_exist(std::string_view name) const {
  if (name == gpu_resource) return true;
  if (classify_resource(name).kind != GpuResource::Kind::mig) return false;
  const bool is_stated = flags_.mig_strategy || mig_strategy_.value;
  return !is_stated || config_.opaque || config_.mig_strategy == "mixed";
}

}  // namespace

DevicePluginProblem::Stage DevicePluginConfig::refused_at() const {
  DevicePluginProblem::Stage earliest = DevicePluginProblem::Stage::none;
  for (const DevicePluginProblem& problem : problems) {
    if (problem.stage == DevicePluginProblem::Stage::parse)
      return DevicePluginProblem::Stage::parse;
    if (problem.stage == DevicePluginProblem::Stage::validate)
      earliest = DevicePluginProblem::Stage::validate;
  }
  return earliest;
}

DevicePluginConfig read_device_plugin_config(Node root, const DevicePluginFlags& flags) {
  return DevicePluginReader(flags).read(root);
}

std::vector<std::string_view> device_plugin_keys(std::string_view section) {
  constexpr std::array sections{&device_plugin::top_section, &device_plugin::flags_section,
                                &device_plugin::plugin_section, &device_plugin::gfd_section,
                                &device_plugin::sharing_section};
  std::vector<std::string_view> names;
  for (const Section* known : sections) {
    if (known->path != section) continue;
    for (const Key& key : known->keys) names.push_back(key.name);
  }
  return names;
}

}  // namespace gpulint

#include "compiler/model/device_plugin/device_plugin_sharing.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/kubernetes_names.h"
#include "tables/device_plugin.inc"

namespace gpulint::device_plugin {
namespace {

// the plugin's own list; GPU feature discovery also has `vfio`
constexpr std::string_view device_discovery_strategy_values[] = {"auto", "nvml", "tegra"};

constexpr Key top_keys[] = {{.name = "version"}, {.name = "flags"}, {.name = "resources"},
                            {.name = "sharing"}, {.name = "imex"},  {.name = "health"}};

constexpr Key flags_keys[] = {
    {.name = "migStrategy", .type = ValueType::text, .values = mig_strategy_values},
    {.name = "failOnInitError", .type = ValueType::boolean},
    {.name = "mpsRoot", .type = ValueType::text},
    {.name = "nvidiaDriverRoot", .type = ValueType::text},
    {.name = "nvidiaDevRoot", .type = ValueType::text},
    {.name = "gdrcopyEnabled", .type = ValueType::boolean},
    {.name = "gdsEnabled", .type = ValueType::boolean},
    {.name = "mofedEnabled", .type = ValueType::boolean},
    {.name = "useNodeFeatureAPI", .type = ValueType::boolean},
    {.name = "deviceDiscoveryStrategy",
     .type = ValueType::text,
     .values = device_discovery_strategy_values},
    {.name = "plugin"},
    {.name = "gfd"}};

constexpr Key plugin_keys[] = {
    {.name = "passDeviceSpecs", .type = ValueType::boolean},
    {.name = "deviceListStrategy", .type = ValueType::texts, .values = device_list_strategy_values},
    {.name = "deviceIDStrategy", .type = ValueType::text, .values = device_id_strategy_values},
    {.name = "cdiAnnotationPrefix", .type = ValueType::text},
    {.name = "nvidiaCTKPath", .type = ValueType::text},
    {.name = "containerDriverRoot", .type = ValueType::text},
    {.name = "sharedDevicesAllocationPolicy",
     .type = ValueType::text,
     .values = shared_devices_allocation_policy_values}};

constexpr Key gfd_keys[] = {{.name = "oneshot", .type = ValueType::boolean},
                            {.name = "noTimestamp", .type = ValueType::boolean},
                            {.name = "sleepInterval", .type = ValueType::duration},
                            {.name = "outputFile", .type = ValueType::text},
                            {.name = "machineTypeFile", .type = ValueType::text}};

constexpr Key sharing_keys[] = {{.name = "timeSlicing"}, {.name = "mps"}};

constexpr Key strategy_keys[] = {{.name = "renameByDefault", .type = ValueType::boolean},
                                 {.name = "failRequestsGreaterThanOne", .type = ValueType::boolean},
                                 {.name = "resources"}};

constexpr Key item_keys[] = {
    {.name = "name"}, {.name = "rename"}, {.name = "devices"}, {.name = "replicas"}};

constexpr Key resources_keys[] = {{.name = "gpus"}, {.name = "mig"}};

constexpr Key imex_keys[] = {{.name = "channelIDs"},
                             {.name = "required", .type = ValueType::boolean}};

/// Equal except for letter case and separators.
[[nodiscard]] bool is_same_word(std::string_view a, std::string_view b) {
  const auto letters = [](std::string_view text) {
    std::string result = to_lower(text);
    std::erase_if(result, [](char c) { return c == '-' || c == '_' || c == '.'; });
    return result;
  };
  return letters(a) == letters(b);
}

[[nodiscard]] std::string join_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

using PluginProblemKind = DevicePluginProblem::Kind;

constexpr std::string_view prefix = "nvidia.com/";

constexpr std::string_view shared_suffix = ".shared";

/// Completes and checks a resource name as NewResourceName does.
[[nodiscard]] std::string read_name(Node node, Findings& findings) {
  if (findings.skip_opaque(node)) return "";
  const Field<std::string> text = decode_string(node);
  if (text.is_mistyped()) {
    findings.refuse(PluginProblemKind::mistyped, node, "string");
    return "";
  }
  std::string name = text.value_or("");
  if (!name.starts_with(prefix)) name.insert(0, prefix);
  constexpr std::size_t longest_name = 63;
  const bool is_valid =
      name.size() <= longest_name && dns_subdomain_problems(name.substr(prefix.size())).empty();
  if (is_valid) return name;
  findings.refuse(PluginProblemKind::invalid_name, node, name);
  return "";
}

[[nodiscard]] bool is_number(std::string_view text) {
  constexpr std::size_t digits_of_64_bits = 19;
  return !text.empty() && text.size() <= digits_of_64_bits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

[[nodiscard]] bool is_uuid(std::string_view text) {
  constexpr std::string_view shape = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  const auto fits = [](char c, char wanted) {
    if (wanted == '-') return c == '-';
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  };
  const bool is_undashed = text.size() == 32;
  if (is_undashed) return std::ranges::all_of(text, [&](char c) { return fits(c, 'h'); });
  return text.size() == shape.size() && std::ranges::equal(text, shape, fits);
}

[[nodiscard]] bool is_gpu_uuid(std::string_view text) {
  return text.starts_with("GPU-") && is_uuid(text.substr(4));
}

/// `MIG-<uuid>` or `MIG-GPU-<uuid>/<gpu instance>/<compute instance>`.
[[nodiscard]] bool is_mig_uuid(std::string_view text) {
  if (!text.starts_with("MIG-")) return false;
  text.remove_prefix(4);
  if (is_uuid(text)) return true;
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos || !is_gpu_uuid(text.substr(0, first))) return false;
  const std::string_view instances = text.substr(first + 1);
  const std::size_t second = instances.find('/');
  return second != std::string_view::npos && is_number(instances.substr(0, second)) &&
         is_number(instances.substr(second + 1));
}

/// A GPU index, a MIG index `gpu:device`, or a UUID.
[[nodiscard]] bool is_device_reference(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return is_number(text) || is_gpu_uuid(text) || is_mig_uuid(text);
  }
  return is_number(text.substr(0, colon)) && is_number(text.substr(colon + 1));
}

[[nodiscard]] bool is_device(Node item) {
  if (const Field<std::int64_t> index = decode_int(item); index.is_known()) {
    return index.value() >= 0;
  }
  const Field<std::string> text = decode_string(item);
  return text.is_absent() || (text.is_known() && is_device_reference(text.value()));
}

void read_device_list(Node list, Findings& findings) {
  for (const Node item : list.items()) {
    if (findings.skip_opaque(item) || is_device(item)) continue;
    findings.refuse(PluginProblemKind::invalid_devices, item);
    return;
  }
  findings.note(PluginProblemKind::ignored_devices, list);
}

void read_devices(Node node, Findings& findings) {
  if (findings.skip_opaque(node)) return;
  if (node.is_sequence()) return read_device_list(node, findings);
  if (decode_string(node).equals("all")) return;
  const bool is_count = decode_int(node).value_or(0) > 0;
  if (!is_count) return findings.refuse(PluginProblemKind::invalid_devices, node);
  findings.note(PluginProblemKind::ignored_devices, node);
}

[[nodiscard]] std::int64_t read_replicas(Node node, Findings& findings) {
  if (findings.skip_opaque(node)) return 0;
  const Field<std::int64_t> replicas = decode_int(node);
  if (replicas.is_mistyped()) {
    findings.refuse(PluginProblemKind::mistyped, node, "integer");
  } else if (replicas.value_or(0) < 2) {
    findings.refuse(PluginProblemKind::too_few_replicas, node);
  }
  return replicas.value_or(0);
}

/// Reads one resource of a strategy. `rename` keeps the written value.
void read_item(Node node, ReplicatedResource& resource, Node& rename, Findings& findings) {
  if (!node.is_mapping() && !is_json_null(node)) {
    return findings.refuse(PluginProblemKind::mistyped, node, "mapping");
  }
  bool has_name = false;
  bool has_replicas = false;
  bool complete = true;
  for (const JsonMember& member : findings.known_members(node, item_section)) {
    if (member.opaque_key) complete = false;
    if (member.key == "name") {
      has_name = true;
      resource.name = read_name(member.value, findings);
    } else if (member.key == "replicas") {
      has_replicas = true;
      resource.replicas = read_replicas(member.value, findings);
    } else if (member.key == "devices") {
      read_devices(member.value, findings);
    } else if (member.key == "rename") {
      rename = member.value;
      resource.rename = read_name(member.value, findings);
    }
  }
  if (!has_name && complete) findings.refuse(PluginProblemKind::missing_field, node, "name");
  if (!has_replicas && complete)
    findings.refuse(PluginProblemKind::missing_field, node, "replicas");
}

/// Renames only by renameByDefault; other renames have no effect.
void settle_rename(ReplicatedResource& resource, Node rename, bool by_default, Findings& findings) {
  const std::string offered = by_default ? resource.name + std::string(shared_suffix) : "";
  const bool is_ignored = rename && !rename.is_opaque() && resource.rename != offered;
  resource.rename = offered;
  if (is_ignored) findings.note(PluginProblemKind::ignored_rename, rename, resource.offered_name());
}

void read_items(Node list, Strategy& strategy, bool by_default, Findings& findings) {
  if (findings.skip_opaque(list)) return;
  if (!list.is_sequence() && !is_json_null(list)) {
    return findings.refuse(PluginProblemKind::mistyped, list, "list");
  }
  const std::vector<Node> items = list.items();
  if (items.empty()) findings.refuse(PluginProblemKind::missing_field, list, "resources");
  for (const Node item : items) {
    if (findings.skip_opaque(item)) continue;
    ReplicatedResource resource{.node = item};
    Node rename;
    read_item(item, resource, rename, findings);
    settle_rename(resource, rename, by_default, findings);
    strategy.resources.push_back(std::move(resource));
  }
}

[[nodiscard]] Guess guess_key(const Section& section, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Key& key : section.keys) {
    if (is_same_word(key.name, word)) return {.meant = std::string(key.name)};
    names.push_back(key.name);
  }
  // sharing first: `resources` inside `sharing` are those of a strategy
  const std::array sections{&sharing_section, &strategy_section, &item_section,
                            &flags_section,   &plugin_section,   &gfd_section,
                            &top_section,     &imex_section,     &resources_section};
  for (const Section* other : sections) {
    for (const Key& key : other->keys) {
      if (other == &section || !is_same_word(key.name, word)) continue;
      return {.elsewhere = true, .meant = join_path(other->path, key.name)};
    }
  }
  return {.meant = std::string(nearest(word, names).value_or(""))};
}

}  // namespace

constinit const Section top_section{.path = "", .keys = top_keys};

constinit const Section flags_section{.path = "flags", .keys = flags_keys};

constinit const Section plugin_section{.path = "flags.plugin", .keys = plugin_keys};

constinit const Section gfd_section{.path = "flags.gfd", .keys = gfd_keys};

constinit const Section sharing_section{.path = "sharing", .keys = sharing_keys};

constinit const Section strategy_section{
    .path = "sharing.timeSlicing", .keys = strategy_keys, .folds_case = false};

constinit const Section item_section{
    .path = "sharing.timeSlicing.resources[]", .keys = item_keys, .folds_case = false};

constinit const Section resources_section{.path = "resources", .keys = resources_keys};

constinit const Section imex_section{.path = "imex", .keys = imex_keys};

const Key* find_key(const Section& section, std::string_view word) {
  const auto exact = std::ranges::find(section.keys, word, &Key::name);
  if (exact != section.keys.end()) return &*exact;
  const auto folded = std::ranges::find_if(
      section.keys, [&](const Key& key) { return equal_fold(key.name, word); });
  return section.folds_case && folded != section.keys.end() ? &*folded : nullptr;
}

std::vector<JsonMember> Findings::known_members(Node mapping, const Section& section) {
  std::vector<JsonMember> known;
  for (JsonMember& member : decode_object(mapping)) {
    if (member.opaque_key) {
      mark_opaque();
    } else if (const Key* key = find_key(section, member.key)) {
      member.key = key->name;
    } else {
      report_dropped(member, section);
      continue;
    }
    known.push_back(std::move(member));
  }
  return known;
}

void Findings::report_dropped(const JsonMember& member, const Section& section) {
  if (member.key == "...") return mark_opaque();  // An ellipsis in a document.
  Guess guess = guess_key(section, member.key);
  note(guess.elsewhere ? PluginProblemKind::misplaced_key : PluginProblemKind::unknown_key,
       member.key_node.value(), std::move(guess.meant));
}

std::optional<bool> Findings::read_bool(Node node) {
  if (skip_opaque(node)) return std::nullopt;
  const Field<bool> value = decode_bool(node);
  if (value.is_mistyped()) refuse(PluginProblemKind::mistyped, node, "boolean");
  return value.is_known() ? std::optional(value.value()) : std::nullopt;
}

std::optional<std::string> Findings::read_text(Node node) {
  if (skip_opaque(node)) return std::nullopt;
  const Field<std::string> value = decode_string(node);
  if (value.is_mistyped()) refuse(PluginProblemKind::mistyped, node, "string");
  return value.is_known() ? std::optional(value.value()) : std::nullopt;
}

Strategy read_strategy(Node node, Findings& findings) {
  Strategy strategy{.node = node};
  if (findings.skip_opaque(node)) return strategy;
  if (!node.is_mapping() && !is_json_null(node)) {
    findings.refuse(PluginProblemKind::mistyped, node, "mapping");
    return strategy;
  }
  Node resources;
  bool by_default = false;
  bool complete = true;
  for (const JsonMember& member : findings.known_members(node, strategy_section)) {
    if (member.opaque_key) complete = false;
    if (member.key == "renameByDefault") {
      by_default = findings.read_bool(member.value).value_or(false);
    } else if (member.key == "failRequestsGreaterThanOne") {
      strategy.fail_requests_greater_than_one = findings.read_bool(member.value);
    } else if (member.key == "resources") {
      resources = member.value;
    }
  }
  if (resources) {
    read_items(resources, strategy, by_default, findings);
  } else if (complete) {
    findings.refuse(PluginProblemKind::missing_field, node, "resources");
  }
  return strategy;
}

void read_resources(Node node, Findings& findings) {
  if (findings.skip_opaque(node) || is_json_null(node)) return;
  if (!node.is_mapping()) return findings.refuse(PluginProblemKind::mistyped, node, "mapping");
  bool has_resource = false;
  for (const JsonMember& member : findings.known_members(node, resources_section)) {
    if (member.opaque_key || findings.skip_opaque(member.value) || is_json_null(member.value)) {
      continue;
    }
    if (!member.value.is_sequence())
      findings.refuse(PluginProblemKind::mistyped, member.value, "list");
    for (const Node item : member.value.items()) {
      has_resource = true;
      if (findings.skip_opaque(item)) continue;
      if (!item.is_mapping() && !is_json_null(item)) {
        findings.refuse(PluginProblemKind::mistyped, item, "mapping");
        continue;
      }
      const Node pattern = item.get("pattern");
      const Node name = item.get("name");
      if (!pattern) findings.refuse(PluginProblemKind::missing_field, item, "pattern");
      if (!name) findings.refuse(PluginProblemKind::missing_field, item, "name");
      if (pattern) static_cast<void>(findings.read_text(pattern));
      if (name) static_cast<void>(read_name(name, findings));
    }
  }
  if (has_resource) findings.note(PluginProblemKind::ignored_resources, node);
}

}  // namespace gpulint::device_plugin

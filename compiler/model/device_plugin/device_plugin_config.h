#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint {

// model/device_plugin: the configuration of NVIDIA's device plugin: which resources it offers,
// renames and shares. It does not know pods or nodes.

/// A problem in the configuration of NVIDIA's device plugin, with its effect.
struct DevicePluginProblem {
  enum class Kind : std::uint8_t {
    not_a_mapping,
    unreadable,       ///< A number or key that JSON cannot represent.
    mistyped,         ///< `detail`: the required type.
    unknown_version,  ///< Anything but `v1`.
    missing_field,    ///< `detail`: resources, name, replicas or pattern.
    too_few_replicas,
    invalid_name,  ///< Of a resource; `detail`: the full name that the plugin makes of it.
    invalid_devices,
    invalid_value,   ///< Of an enumeration or duration; `detail`: the nearest value, or empty.
    mps_with_mixed,  ///< MPS is rejected with MIG strategy `mixed`.
    mps_without_root,
    unknown_key,    ///< Ignored without a message; `detail`: the likely key, or empty.
    misplaced_key,  ///< Ignored without a message; `detail`: where it belongs.
    /// A flag under `plugin` or `gfd`: its value is lost and the flag becomes empty (text) or
    /// false. `detail`: where it belongs.
    zeroed_flag,
    ignored_rename,         ///< `detail`: the name that the resource has instead.
    ignored_devices,        ///< Every device is shared, whatever the list has.
    ignored_resources,      ///< The top-level `resources` have no effect.
    shadowed_time_slicing,  ///< `mps` is also set and takes precedence.
    duplicate_resource,     ///< The first entry of a name decides.
    too_many_replicas,      ///< More than MPS supports: 48 clients for each GPU.
    mps_with_mig,           ///< Fails as soon as a GPU has MIG devices.
    /// No device has this resource name with the MIG strategy; `detail`: the strategy.
    unmatched_resource
  };
  /// When the plugin stops; `none`: it runs, but not as written.
  enum class Stage : std::uint8_t { none, parse, validate };

  Kind kind = Kind::mistyped;
  Stage stage = Stage::none;
  Node node;
  std::string detail;
};

/// Settings from the plugin's command line or environment.
struct DevicePluginFlags {
  std::optional<std::string> mig_strategy;
  std::optional<std::string> mps_root = "/run/nvidia/mps";  ///< As the Helm chart always sets it.
  std::vector<std::int64_t> imex_channel_ids;
};

/// A resource whose devices are offered several times.
struct ReplicatedResource {
  std::string name{};    ///< Complete: `nvidia.com/gpu`.
  std::string rename{};  ///< `nvidia.com/gpu.shared`; empty: offered with its own name.
  std::int64_t replicas = 0;
  Node node;

  [[nodiscard]] const std::string& offered_name() const { return rename.empty() ? name : rename; }
};

struct DevicePluginConfig {
  enum class Sharing : std::uint8_t { none, time_slicing, mps };

  Sharing sharing = Sharing::none;
  Node sharing_node;  ///< The strategy's mapping; null without sharing.
  std::string mig_strategy = "none";
  /// Whether a container that requests more than one replica fails; nullopt: not set, or no
  /// sharing.
  std::optional<bool> fail_requests_greater_than_one;
  std::vector<ReplicatedResource> replicated;
  std::vector<DevicePluginProblem> problems;
  bool opaque = false;  ///< A placeholder makes some part unknown.

  /// The earliest stage at which the plugin stops; `none`: it starts.
  [[nodiscard]] DevicePluginProblem::Stage refused_at() const;
  [[nodiscard]] bool accepted() const { return refused_at() == DevicePluginProblem::Stage::none; }
};

/// Whether the mapping is such a file, also with misplaced and misspelt keys: it has keys that no
/// other file has.
[[nodiscard]] bool looks_like_device_plugin_config(Node root);

/// Whether the plugin reads the document: it looks like such a file and is not part of its chart's
/// values, or it is in a ConfigMap that is the plugin's by name.
[[nodiscard]] bool is_device_plugin_config(const Document& document);

/// Reads the root of a document as the plugin does; a null root (an empty file) is accepted.
[[nodiscard]] DevicePluginConfig read_device_plugin_config(Node root,
                                                           const DevicePluginFlags& flags = {});

/// The keys that the plugin reads in a section: ``, `flags`, `flags.plugin`, `flags.gfd`,
/// `sharing`.
[[nodiscard]] std::vector<std::string_view> device_plugin_keys(std::string_view section);

/// The roots of the documents that NVIDIA's device plugin reads as its configuration; not the
/// values of its Helm chart, whose keys have the same names.
[[nodiscard]] std::vector<Node> device_plugin_config_roots(
    const std::vector<const Document*>& documents);

/// The mapping whose values contain the document of a configuration; null if it is not embedded.
[[nodiscard]] Node holder_of_config(Node config);

/// Whether the ConfigMap of the configuration also contains unread ones, which nodes may use.
[[nodiscard]] bool has_unread_siblings(const std::vector<Node>& roots, Node root);

}  // namespace gpulint

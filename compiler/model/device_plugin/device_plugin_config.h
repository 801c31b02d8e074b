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

/// A fault of NVIDIA's device plugin configuration, with what the plugin makes of it.
struct DevicePluginProblem {
  enum class Kind : std::uint8_t {
    not_a_mapping,
    unreadable,       ///< A number or key that JSON cannot hold.
    mistyped,         ///< `detail`: the type that is due.
    unknown_version,  ///< Anything but `v1`.
    missing_field,    ///< `detail`: resources, name, replicas or pattern.
    too_few_replicas,
    invalid_name,  ///< Of a resource; `detail`: as the plugin completes it.
    invalid_devices,
    invalid_value,   ///< Of an enumeration or duration; `detail`: the nearest value, or empty.
    mps_with_mixed,  ///< MPS is refused under MIG strategy `mixed`.
    mps_without_root,
    unknown_key,    ///< Dropped in silence; `detail`: the key that was meant, or empty.
    misplaced_key,  ///< Dropped in silence; `detail`: where it belongs.
    /// A flag under `plugin` or `gfd`: its value is lost and the flag becomes empty (text) or
    /// false. `detail`: where it belongs.
    zeroed_flag,
    ignored_rename,         ///< `detail`: the name that the resource has instead.
    ignored_devices,        ///< Every device is shared, whatever is listed.
    ignored_resources,      ///< The top-level `resources` have no effect.
    shadowed_time_slicing,  ///< `mps` is given too, and wins.
    duplicate_resource,     ///< The first entry of a name already decides.
    too_many_replicas,      ///< Beyond what MPS serves: 48 clients a GPU.
    mps_with_mig,           ///< Fails as soon as a GPU has MIG devices.
    /// No device has this resource name under the MIG strategy; `detail`: the strategy.
    unmatched_resource
  };
  /// When the plugin gives up; `none`: it runs, but not as written.
  enum class Stage : std::uint8_t { none, parse, validate };

  Kind kind = Kind::mistyped;
  Stage stage = Stage::none;
  Node node;
  std::string detail;
};

/// What is given on the plugin's command line or through its environment.
struct DevicePluginFlags {
  std::optional<std::string> mig_strategy;
  std::optional<std::string> mps_root = "/run/nvidia/mps";  ///< As the Helm chart always sets it.
  std::vector<std::int64_t> imex_channel_ids;
};

/// A resource whose devices are offered several times.
struct ReplicatedResource {
  std::string name{};    ///< Complete: `nvidia.com/gpu`.
  std::string rename{};  ///< `nvidia.com/gpu.shared`; empty: offered under its own name.
  std::int64_t replicas = 0;
  Node node;

  [[nodiscard]] const std::string& offered_name() const { return rename.empty() ? name : rename; }
};

struct DevicePluginConfig {
  enum class Sharing : std::uint8_t { none, time_slicing, mps };

  Sharing sharing = Sharing::none;
  Node sharing_node;  ///< The strategy's mapping; nothing without sharing.
  std::string mig_strategy = "none";
  /// Whether a container that asks for more than one replica fails; nullopt: not stated, no
  /// sharing.
  std::optional<bool> fail_requests_greater_than_one;
  std::vector<ReplicatedResource> replicated;
  std::vector<DevicePluginProblem> problems;
  bool opaque = false;  ///< A placeholder leaves something open.

  /// The earliest stage at which the plugin refuses; `none`: it starts.
  [[nodiscard]] DevicePluginProblem::Stage refused_at() const;
  [[nodiscard]] bool accepted() const { return refused_at() == DevicePluginProblem::Stage::none; }
};

/// Whether the mapping is meant as such a file, misplaced and misspelt keys included: it holds what
/// nobody else has.
[[nodiscard]] bool looks_like_device_plugin_config(Node root);

/// Whether the plugin reads the document: it looks like such a file and is none of its chart's
/// values, or it stands in a ConfigMap that is the plugin's by name, whatever it holds.
[[nodiscard]] bool is_device_plugin_config(const Document& document);

/// Reads the root of a document as the plugin does; nothing (an empty file) is accepted.
[[nodiscard]] DevicePluginConfig read_device_plugin_config(Node root,
                                                           const DevicePluginFlags& flags = {});

/// The keys that the plugin reads in a section: ``, `flags`, `flags.plugin`, `flags.gfd`,
/// `sharing`.
[[nodiscard]] std::vector<std::string_view> device_plugin_keys(std::string_view section);

}  // namespace gpulint

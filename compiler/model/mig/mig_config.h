#pragma once

// model/mig: MIG profiles, layouts and the configuration of MIG manager. It does not know pods or
// nodes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/mig/mig_layout.h"

namespace gpulint {

/// A problem in a mig-parted configuration (also MIG manager's ConfigMap key `config.yaml`).
struct MigConfigProblem {
  enum class Kind : std::uint8_t {
    // mig-parted rejects the whole file, for every node:
    not_a_mapping,
    unreadable,        ///< A number or key that JSON cannot represent.
    mistyped,          ///< `detail`: the required type.
    missing_field,     ///< `detail`: version, devices, mig-enabled or mig-devices.
    unknown_version,   ///< Anything but `v1`.
    unexpected_field,  ///< `detail`: the nearest known field, or empty.
    no_configs,        ///< `mig-configs` or one configuration is empty.
    invalid_devices,   ///< Neither `all` nor a list of integers.
    invalid_profile,   ///< Not a profile name; `detail`: the likely one, or empty.
    negative_count,
    all_counts_zero,
    devices_without_mig,  ///< `mig-devices` although `mig-enabled` is false.
    // mig-parted accepts the file, but does not do what is written:
    unknown_profile,    ///< No GPU (of the filter) has it: `apply` succeeds without any device.
    zero_count,         ///< Next to others: `assert` never holds, so each reconcile applies it
                        ///< again.
    unusual_spelling,   ///< `1c.1g.5gb`, `01g.5gb`: the same; `detail`: NVIDIA's spelling.
    impossible_layout,  ///< No placement has all the devices together; `detail`: why.
    invalid_filter,     ///< Not `0xDDDDVVVV`: matches no GPU.
    unknown_filter,     ///< Well-formed, but not NVIDIA's (vendor 10DE): matches no GPU.
    no_devices          ///< `devices: []` or only impossible indexes: matches no GPU.
  };
  Kind kind = Kind::mistyped;
  Node node;           ///< The place to report: a key's value, or the mapping with the missing key.
  std::string config;  ///< Name of the configuration; empty for the whole file.
  std::string detail;

  [[nodiscard]] bool is_refused() const { return kind <= Kind::devices_without_mig; }
};

struct MigDeviceFilter {
  std::string text;
  Node node;
  std::optional<std::uint32_t> device_id;  ///< nullopt: the text is not an identifier.
};

/// One item of a configuration: the layout of the GPUs that it selects.
struct MigConfigEntry {
  Node node;
  bool all_devices = false;
  std::vector<std::int64_t> devices{};  ///< Indexes, if not all.
  bool has_filter = false;              ///< False for an empty list of filters.
  std::vector<MigDeviceFilter> filters{};
  bool opaque_filter = false;  ///< A placeholder is among the filters: it may match any GPU.
  bool mig_enabled = false;
  Node mig_devices_node{};  ///< Null if absent.
  std::vector<MigDeviceCount> mig_devices{};
  std::vector<Node> mig_device_nodes{};  ///< Their counts, in the same order.
};

struct MigNamedConfig {
  std::string name;
  Node name_node;
  Node node;
  std::vector<MigConfigEntry> entries;
  bool accepted = true;  ///< Valid by itself; the problem of another one still rejects the file.

  /// Whether each GPU that it partitions has devices of several profiles, which MIG strategy
  /// `single` cannot offer.
  [[nodiscard]] bool makes_several_sizes() const;
};

struct MigConfigFile {
  Node root;  ///< Of the document.
  std::vector<MigNamedConfig> configs;
  std::vector<MigConfigProblem> problems;
  /// A placeholder may contain what is missing.
  bool opaque = false;

  [[nodiscard]] bool accepted() const;
  [[nodiscard]] const MigNamedConfig* find(std::string_view name) const;
};

/// Whether the mapping is such a file: it has `mig-configs`, alone or with a version. Another
/// spelling of the key counts only if the value has layouts, which no `appConfigs` has.
[[nodiscard]] bool looks_like_mig_config(Node root);

/// Whether mig-parted reads the document: it looks like such a file, or is in a ConfigMap that is
/// MIG manager's by name. Run:ai's own format in an annotation, by slice index, does not count.
[[nodiscard]] bool is_mig_config(const Document& document);

/// Reads the root of a document as mig-parted does; a null root (an empty file) is accepted.
[[nodiscard]] MigConfigFile read_mig_config(Node root);

/// The GPUs that an entry may apply to: those of its filters, or every known one without filters.
/// Empty if the filters match none, or are opaque.
[[nodiscard]] std::vector<const MigGpu*> gpus_of_entry(const MigConfigEntry& entry);

}  // namespace gpulint

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

/// A fault of a mig-parted configuration (also MIG manager's ConfigMap key `config.yaml`).
struct MigConfigProblem {
  enum class Kind : std::uint8_t {
    // mig-parted refuses the whole file, for every node:
    not_a_mapping,
    unreadable,        ///< A number or key that JSON cannot hold.
    mistyped,          ///< `detail`: the type that is due.
    missing_field,     ///< `detail`: version, devices, mig-enabled or mig-devices.
    unknown_version,   ///< Anything but `v1`.
    unexpected_field,  ///< `detail`: the nearest field there is, or empty.
    no_configs,        ///< `mig-configs` or one configuration is empty.
    invalid_devices,   ///< Neither `all` nor a list of integers.
    invalid_profile,   ///< No profile name at all; `detail`: the one that was meant, or empty.
    negative_count,
    all_counts_zero,
    devices_without_mig,  ///< `mig-devices` though `mig-enabled` is false.
    // mig-parted accepts and then does something else than written:
    unknown_profile,    ///< No GPU (of the filter) has it: `apply` succeeds without any device.
    zero_count,         ///< Beside others: `assert` never holds, each reconcile re-applies.
    unusual_spelling,   ///< `1c.1g.5gb`, `01g.5gb`: the same; `detail`: as NVIDIA spells it.
    impossible_layout,  ///< No placement realises the devices together; `detail`: why.
    invalid_filter,     ///< Not `0xDDDDVVVV`: matches no GPU.
    unknown_filter,     ///< Well-formed, not of NVIDIA (vendor 10DE): matches no GPU.
    no_devices          ///< `devices: []` or only impossible indexes: matches no GPU.
  };
  Kind kind = Kind::mistyped;
  Node node;           ///< What to point at: a key's value, or the mapping that lacks something.
  std::string config;  ///< Name of the configuration; empty for the file.
  std::string detail;

  [[nodiscard]] bool is_refused() const { return kind <= Kind::devices_without_mig; }
};

struct MigDeviceFilter {
  std::string text;
  Node node;
  std::optional<std::uint32_t> device_id;  ///< nullopt: the text is no identifier.
};

/// One item of a configuration: what the GPUs it selects become.
struct MigConfigEntry {
  Node node;
  bool all_devices = false;
  std::vector<std::int64_t> devices{};  ///< Indexes, where not all.
  bool has_filter = false;              ///< An empty list of filters is none.
  std::vector<MigDeviceFilter> filters{};
  bool opaque_filter = false;  ///< A placeholder among the filters: any GPU may be meant.
  bool mig_enabled = false;
  Node mig_devices_node{};  ///< Nothing where absent.
  std::vector<MigDeviceCount> mig_devices{};
  std::vector<Node> mig_device_nodes{};  ///< Their counts, in the same order.
};

struct MigNamedConfig {
  std::string name;
  Node name_node;
  Node node;
  std::vector<MigConfigEntry> entries;
  bool accepted = true;  ///< By itself: another one's fault still refuses the file.

  /// Whether each GPU that it partitions gets devices of several profiles: MIG strategy `single`
  /// cannot offer those.
  [[nodiscard]] bool makes_several_sizes() const;
};

struct MigConfigFile {
  Node root;  ///< Of the document.
  std::vector<MigNamedConfig> configs;
  std::vector<MigConfigProblem> problems;
  /// A placeholder stands where it may matter: what is missing may come from it.
  bool opaque = false;

  [[nodiscard]] bool accepted() const;
  [[nodiscard]] const MigNamedConfig* find(std::string_view name) const;
};

/// Whether the mapping is meant as such a file: it has `mig-configs` beside a version or alone, in
/// another spelling only where the value holds layouts, which no `appConfigs` does.
[[nodiscard]] bool looks_like_mig_config(Node root);

/// Whether mig-parted reads the document: it looks like such a file, or it stands in a ConfigMap
/// that is MIG manager's by name. Run:ai keeps a form of its own, by slice index, in an annotation:
/// that is none.
[[nodiscard]] bool is_mig_config(const Document& document);

/// Reads the root of a document as mig-parted does; nothing (an empty file) is accepted.
[[nodiscard]] MigConfigFile read_mig_config(Node root);

/// The GPUs on which an entry may act: those of its filters, or every known one without filters.
/// Empty where the filters match none, or leave it open.
[[nodiscard]] std::vector<const MigGpu*> gpus_of_entry(const MigConfigEntry& entry);

}  // namespace gpulint

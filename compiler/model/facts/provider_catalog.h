#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/provider.h"

namespace gpulint {

/// A node label that a provider, an operator or, by convention, the user sets.
struct ProviderLabel {
  std::string_view
      provider;          ///< gke, eks, eks-auto-mode, karpenter-aws, aks, nvidia-gfd-operator …
  std::string_view key;  ///< Ends in `*` if only the beginning is fixed.
  std::span<const std::string_view> values;  ///< All possible values; empty: unknown.
  std::string_view role;                     ///< device, count, partition, spot, pool, machine …
  std::string_view remark;                   ///< `legacy`, `NAP` …; mostly empty.
  std::string_view set_by;                   ///< `provider`, `user`, `GFD` …
};

struct ProviderTaint {
  std::string_view provider;
  std::string_view key;
  std::string_view value;  ///< Free text if the user chooses it.
  std::string_view effect;
  std::string_view set_by;
  std::string_view when;
};

struct ProviderFacts {
  std::string_view name;
  /// Whether the admission plugin ExtendedResourceToleration is on by default.
  Support extended_resource_toleration = Support::unknown;
  std::span<const std::string_view> resources;  ///< Offered names; `<…>` is the variable part.
  std::span<const std::string_view> reserved_prefixes;
};

[[nodiscard]] std::span<const ProviderLabel> provider_labels();  ///< Sorted by key.
[[nodiscard]] std::span<const ProviderTaint> provider_taints();

/// Facts by name (`gke`); null if there are none.
[[nodiscard]] const ProviderFacts* find_provider(std::string_view name);
/// The table's name of a declared provider; empty for unknown.
[[nodiscard]] std::string_view provider_name(Provider provider);

/// All providers and components that set this label; several for `accelerator`, none for labels not
/// in the tables.
[[nodiscard]] std::vector<const ProviderLabel*> labels_with_key(std::string_view key);

/// Whether some provider's label with this key has a role, such as `device`.
[[nodiscard]] bool has_role(std::string_view key, std::string_view role);
/// Whether the label can exist on nodes of this provider: one of its own labels, or one that
/// belongs to no other provider (GFD's, Kubernetes', the user's).
[[nodiscard]] bool can_carry(std::string_view provider, std::string_view key);
/// Labels of a provider with this role; those without a remark come first.
[[nodiscard]] std::vector<const ProviderLabel*> labels_with_role(std::string_view provider,
                                                                 std::string_view role);
/// The vocabulary of a device label's values; nullopt: free text.
[[nodiscard]] std::optional<DeviceVocabulary> vocabulary_of_label(std::string_view key);
/// Every value that the device label can have; empty: free text, or unknown.
[[nodiscard]] std::vector<std::string_view> device_values_of_label(std::string_view key);

}  // namespace gpulint

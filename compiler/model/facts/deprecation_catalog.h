#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gpulint {

enum class DeprecationKind : std::uint8_t { annotation, api, feature_gate, image, label, resource };

/// Something that Kubernetes, a provider or an operator deprecated or removed, with its successor.
struct Deprecation {
  DeprecationKind kind = DeprecationKind::api;
  std::string_view name;      ///< apiVersion, label, annotation …; ends in `*` for a prefix.
  std::string_view detail;    ///< For an API the object's kind, empty: all; for a label the value.
  std::string_view provider;  ///< `aks` if it concerns one provider only; else empty.
  std::string_view deprecated_in;     ///< Free text, mostly a Kubernetes version: `1.8`.
  std::string_view removed_in;        ///< First version without it, free text; empty: still
                                      ///< supported.
  std::uint8_t deprecated_minor = 0;  ///< Of Kubernetes 1.x; 0 if none or unknown.
  std::uint8_t removed_minor = 0;
  std::string_view replacement;
  std::string_view replacement_remark;
  std::string_view note;
};

/// Sorted by kind, name and detail.
[[nodiscard]] std::span<const Deprecation> deprecations();

/// `extensions/v1beta1`, `Deployment`; null if it is current or not in the table.
[[nodiscard]] const Deprecation* find_deprecated_api(std::string_view api_version,
                                                     std::string_view kind);
/// Label, annotation, resource, feature gate or image. A row with a value, and the rows of one
/// provider, are only found by find_deprecated_label.
[[nodiscard]] const Deprecation* find_deprecation(DeprecationKind kind, std::string_view name);
/// The same; null if a cluster with this version still has it.
[[nodiscard]] const Deprecation* find_removed(DeprecationKind kind, std::string_view name,
                                              std::string_view kubernetes_version);
/// `accelerator`, `nvidia`, `aks`; provider rows are found only for their provider.
[[nodiscard]] const Deprecation* find_deprecated_label(std::string_view key, std::string_view value,
                                                       std::string_view provider);

/// Whether a cluster with this version (`1.31`, `v1.31.2`, `1.31-gke.5`) lacks what the row names.
/// If the version is not readable: whether current Kubernetes lacks it.
[[nodiscard]] bool is_removed(const Deprecation& deprecation, std::string_view kubernetes_version);

/// The minor version of Kubernetes 1.x: `1.31`, `v1.31.2`, `1.31-gke.5` → 31; nullopt if the text
/// has none.
[[nodiscard]] std::optional<int> kubernetes_minor(std::string_view version);

}  // namespace gpulint

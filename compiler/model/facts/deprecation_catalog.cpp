#include "compiler/model/facts/deprecation_catalog.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

#include "tables/deprecations.inc"

/// The newest Kubernetes in the facts; it still serves rows that are removed later.
constexpr int current_minor = 37;

}  // namespace

std::span<const Deprecation> deprecations() { return deprecation_table; }

const Deprecation* find_deprecated_api(std::string_view api_version, std::string_view kind) {
  for (const Deprecation& row : deprecation_table) {
    if (row.kind == DeprecationKind::api && row.name == api_version &&
        (row.detail.empty() || row.detail == kind)) {
      return &row;
    }
  }
  return nullptr;
}

const Deprecation* find_deprecation(DeprecationKind kind, std::string_view name) {
  for (const Deprecation& row : deprecation_table) {
    if (row.kind == kind && matches_pattern(row.name, name) && row.detail.empty() &&
        row.provider.empty()) {
      return &row;
    }
  }
  return nullptr;
}

const Deprecation* find_deprecated_label(std::string_view key, std::string_view value,
                                         std::string_view provider) {
  for (const Deprecation& row : deprecation_table) {
    if (row.kind == DeprecationKind::label && matches_pattern(row.name, key) &&
        (row.detail.empty() || row.detail == value) &&
        (row.provider.empty() || row.provider == provider)) {
      return &row;
    }
  }
  return nullptr;
}

const Deprecation* find_removed(DeprecationKind kind, std::string_view name,
                                std::string_view kubernetes_version) {
  const Deprecation* const found = find_deprecation(kind, name);
  return found != nullptr && is_removed(*found, kubernetes_version) ? found : nullptr;
}

bool is_removed(const Deprecation& deprecation, std::string_view kubernetes_version) {
  if (deprecation.removed_minor == 0) return false;
  return kubernetes_minor(kubernetes_version).value_or(current_minor) >= deprecation.removed_minor;
}

std::optional<int> kubernetes_minor(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  if (!version.starts_with("1.")) return std::nullopt;
  version.remove_prefix(2);
  int minor = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), minor);
  if (error != std::errc{}) return std::nullopt;
  return minor;
}

}  // namespace gpulint

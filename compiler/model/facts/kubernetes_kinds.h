#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gpulint {

// Kinds of the Kubernetes API (reference v1.37, and those that earlier versions served) and of the
// operators that run GPU workloads.

/// `apps` of `apps/v1`; empty for the core group (`v1`).
[[nodiscard]] std::string_view api_group(std::string_view api_version);

/// The kind of this group that is spelt like `kind` but for letter case; nullopt: none known.
[[nodiscard]] std::optional<std::string_view> find_kind(std::string_view group,
                                                        std::string_view kind);

/// Every kind of a group of Kubernetes' own whose kinds are all known, so that any other name is
/// refused; empty for other groups.
[[nodiscard]] std::vector<std::string_view> kinds_of_closed_group(std::string_view group);

/// The current apiVersion of a Kubernetes kind that is known in one group only, letter case
/// counting; nullopt for others.
[[nodiscard]] std::optional<std::string_view> api_version_of_kind(std::string_view kind);

}  // namespace gpulint

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/rule_policy.h"

namespace gpulint::policy {

/// Resources of one API group that policies are asked about.
struct Resources {
  RulePolicy::On on;
  std::string_view group;
  std::string_view operations;  ///< Separated by commas, as a YAML flow list has them.
  std::string_view kinds;       ///< Separated by commas.

  [[nodiscard]] std::vector<std::string> kind_list() const;
  /// The plural names of `kinds`, separated by commas.
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] std::span<const Resources> asked_resources();

/// Kinds of pods and of what makes pods.
[[nodiscard]] std::vector<std::string> pod_kinds();

/// What the system runs is not users' to change, and the operator's own pods make nodes GPU nodes.
inline constexpr std::string_view exempt_namespaces = "kube-system, gpu-operator";

}  // namespace gpulint::policy

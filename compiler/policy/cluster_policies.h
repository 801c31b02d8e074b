#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/config.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/registry.h"
#include "compiler/policy/compose.h"
#include "compiler/policy/inputs.h"

namespace gpulint::policy {

/// How to write the policies.
struct PolicyRequest {
  FactsFrom facts_from = FactsFrom::automatic;
  bool denies_by_facts = false;      ///< Also deny findings that depend on the known nodes.
  std::vector<std::string> formats;  ///< `vap`, `gatekeeper` or `map`.
};

/// The rules as policies for one cluster.
struct ClusterPolicies {
  std::vector<AdmissionRule> rules;
  std::vector<LeftOut> left_out;
  Facts facts;
  Given given;
  bool needs_object = false;       ///< The facts are too long for an expression.
  std::vector<std::string> texts;  ///< In each format; empty if it includes no rule.
};

/// `own`: the user's own policies for this cluster.
[[nodiscard]] ClusterPolicies policies_for(const Corpus& corpus,
                                           std::span<const RegisteredRule> rules,
                                           std::span<const Policy* const> own, Selection selection,
                                           const PolicyRequest& request);

/// The difference between written policies and those that gpulint would write now.
struct PolicyDrift {
  bool is_as_written = false;       ///< `before` is a file of gpulint: compare its lines.
  std::vector<std::string> hashes;  ///< Else the differences, to print; empty if equal.
};

/// `before` is a file of gpulint, or the policies of a cluster (`kubectl get … -o yaml`), which are
/// compared only by their hash annotation. `path`: the name of `before`.
[[nodiscard]] PolicyDrift find_drift(std::string_view path, std::string_view before,
                                     std::string_view now);

}  // namespace gpulint::policy

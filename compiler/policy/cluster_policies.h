#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/config.h"
#include "compiler/engine/registry.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/policy/compose.h"
#include "compiler/policy/inputs.h"

namespace gpulint::policy {

/// How policies are to be made.
struct PolicyRequest {
  FactsFrom facts_from = FactsFrom::automatic;
  bool denies_by_facts = false;      ///< What rests on the known nodes is denied, too.
  std::vector<std::string> formats;  ///< `vap`, `gatekeeper` or `map`.
};

/// The rules as policies for one cluster.
struct ClusterPolicies {
  std::vector<ToldRule> rules;
  std::vector<LeftOut> left_out;
  Facts facts;
  Given given;
  bool needs_object = false;       ///< The facts are more than an expression may hold.
  std::vector<std::string> texts;  ///< In each format; empty where it has none of the rules.
};

/// `own`: the user's own policies that hold for the cluster.
[[nodiscard]] ClusterPolicies policies_for(const Corpus& corpus,
                                           std::span<const RegisteredRule> rules,
                                           std::span<const Policy* const> own, Selection selection,
                                           const PolicyRequest& request);

/// What differs between policies that were written before and those that would be written now.
struct PolicyDrift {
  bool is_as_written = false;       ///< `before` is a file as gpulint writes it: its lines count.
  std::vector<std::string> hashes;  ///< Else what only one of them has, to print; none: all equal.
};

/// `before` is a file that gpulint wrote, or what a cluster says of its policies (`kubectl get … -o
/// yaml`), which is compared by the annotation alone. `path`: its name.
[[nodiscard]] PolicyDrift find_drift(std::string_view path, std::string_view before,
                                     std::string_view now);

}  // namespace gpulint::policy

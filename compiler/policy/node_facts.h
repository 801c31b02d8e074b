#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/model/corpus/corpus.h"

namespace gpulint::policy {

/// A taint that keeps pods off: `NoSchedule` or `NoExecute`.
struct TaintFact {
  std::string key;
  std::string value;
  std::string effect;
  friend auto operator<=>(const TaintFact&, const TaintFact&) = default;
};

/// Nodes that are alike in all that decides where pods may run: one entry for a pool of a thousand.
/// What is not known is left open, so that a policy says of no pod that it fits nowhere where
/// gpulint would not say it. It has no names of nodes: they decide nothing, and change.
struct PoolFact {
  std::map<std::string, std::string, std::less<>> labels;
  std::set<std::string, std::less<>> other_labels;  ///< Keys under which anything may stand.
  bool more_labels = false;                         ///< Nodes may carry labels that are not listed.
  std::map<std::string, double, std::less<>> resources;  ///< Allocatable, in whole units.
  bool more_resources = false;
  std::vector<TaintFact> taints;
  bool open = false;  ///< Nothing is known that would keep a pod off.
  friend auto operator<=>(const PoolFact&, const PoolFact&) = default;
};

/// What policies know of a cluster.
struct Facts {
  std::vector<PoolFact> pools;                     ///< Sorted, each once.
  std::set<std::string, std::less<>> open_labels;  ///< Keys that any node may carry with any value.
  std::set<std::string, std::less<>> open_resources;  ///< Extended resources that any may offer.
  /// Whether ExtendedResourceToleration runs: `on`, `off`, `unknown`; `declared-off` where
  /// gpulint.yaml says so.
  std::string extended_resource_toleration;
  std::string mig_strategy;                        ///< none, single, mixed, gke; empty: not known.
  std::set<std::string, std::less<>> mig_layouts;  ///< Defined for MIG manager; empty: not known.
  std::string runtime_class;                       ///< That GPU pods need; empty: not known.
  int kubernetes_minor = 0;                        ///< As declared, or by kubelets; 0: not said.
  bool knows_gpu_nodes = false;
};

[[nodiscard]] Facts find_facts(const Corpus& corpus);

/// A CEL literal, a line for each pool.
[[nodiscard]] std::string cel_of(const Facts& facts);

}  // namespace gpulint::policy

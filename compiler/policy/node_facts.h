#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/engine/corpus.h"

namespace gpulint::policy {

/// A taint that rejects pods: `NoSchedule` or `NoExecute`.
struct TaintFact {
  std::string key;
  std::string value;
  std::string effect;
  friend auto operator<=>(const TaintFact&, const TaintFact&) = default;
};

/// Nodes that are equal for placement: one entry for a pool of a thousand. Unknown facts accept
/// every pod, so a policy reports no pod that gpulint does not report. It has no names of nodes:
/// they decide nothing, and change.
struct PoolFact {
  std::map<std::string, std::string, std::less<>> labels;
  std::set<std::string, std::less<>> other_labels;  ///< Keys with unknown values.
  bool more_labels = false;                         ///< Nodes may have labels that are not listed.
  std::map<std::string, double, std::less<>> resources;  ///< Allocatable, in whole units.
  bool more_resources = false;
  std::vector<TaintFact> taints;
  bool open = false;  ///< The pool accepts every pod.
  friend auto operator<=>(const PoolFact&, const PoolFact&) = default;
};

/// The facts of a cluster that policies use.
struct Facts {
  std::vector<PoolFact> pools;                     ///< Sorted, each once.
  std::set<std::string, std::less<>> open_labels;  ///< Keys that any node may have with any value.
  std::set<std::string, std::less<>> open_resources;  ///< Extended resources that any may offer.
  /// Whether ExtendedResourceToleration runs: `on`, `off`, `unknown`, or `declared-off` by
  /// gpulint.yaml.
  std::string extended_resource_toleration;
  std::string mig_strategy;                        ///< none, single, mixed, gke; empty: unknown.
  std::set<std::string, std::less<>> mig_layouts;  ///< Defined for MIG Manager; empty: unknown.
  std::string runtime_class;                       ///< That GPU pods need; empty: unknown.
  int kubernetes_minor = 0;                        ///< Declared, or of the kubelets; 0: unknown.
  bool knows_gpu_nodes = false;
};

[[nodiscard]] Facts find_facts(const Corpus& corpus);

/// A CEL literal, one line for each pool.
[[nodiscard]] std::string cel_of(const Facts& facts);

}  // namespace gpulint::policy

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::exceeds_quota {

/// Quotas or ranges by namespace. Objects that state none are applied together; where one states it
/// and the other does not, it is open whether they share one.
class LimitObjects {
 public:
  void add(Node object);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Node>& all() const { return all_; }
  /// Those that certainly are of the object's namespace. Not where another has the same name there:
  /// they are of two clusters, or of namespaces that are said when they are applied.
  [[nodiscard]] std::vector<Node> of(Node object) const;
  /// Those that may be of the object's namespace.
  [[nodiscard]] std::vector<Node> maybe_of(Node object) const;

 private:
  using Names = std::multimap<std::string, Node>;
  std::vector<Node> all_;
  std::map<std::optional<std::string>, std::vector<Node>> by_namespace_;  // or none stated
  std::map<std::optional<std::string>, Names> by_name_;
  std::vector<Node> open_;  // of no known namespace
};

/// The ResourceQuotas and LimitRanges of a scope.
struct NamespaceLimits {
  LimitObjects quotas;  ///< Those that count all pods: without scopes.
  LimitObjects ranges;
};

[[nodiscard]] NamespaceLimits read_limits(const Corpus& corpus);

/// A quota of `cpu` or `memory` refuses pods with a container that does not set them: it demands
/// what it counts (Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go, Constraints). Reports the
/// first such container of the workload.
void check_required(Reporter& reporter, const Workload& workload, const NamespaceLimits& limits,
                    Node quota);

}  // namespace gpulint::rules::exceeds_quota

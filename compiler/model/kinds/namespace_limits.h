#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Quotas or LimitRanges by namespace. Objects without a namespace are in the same one. If only one
/// of two objects states its namespace, it is unknown whether they share it.
class LimitObjects {
 public:
  void add(Node object);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Node>& all() const { return all_; }
  /// Those that are certainly in the object's namespace. Not if another one there has the same
  /// name: they are for two clusters, or for namespaces that are set when they are applied.
  [[nodiscard]] std::vector<Node> of(Node object) const;
  /// Those that may be in the object's namespace.
  [[nodiscard]] std::vector<Node> maybe_of(Node object) const;

 private:
  using Names = std::multimap<std::string, Node>;
  std::vector<Node> all_;
  std::map<std::optional<std::string>, std::vector<Node>> by_namespace_;  // nullopt: not stated
  std::map<std::optional<std::string>, Names> by_name_;
  std::vector<Node> open_;  // with an unknown namespace
};

[[nodiscard]] LimitObjects find_limit_ranges(const std::vector<KubernetesObject>& objects);

/// What a LimitRange adds to each container that does not state the resource. An absent `default`
/// is `max`, and an absent `defaultRequest` is `default` or else `min` (Kubernetes 1.37,
/// pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem).
struct ContainerDefaults {
  std::vector<ResourceEntry> limits;
  std::vector<ResourceEntry> requests;
};
[[nodiscard]] ContainerDefaults container_defaults(Node range);

/// The LimitRange that gives this amount to containers; null if the amount is the container's own.
[[nodiscard]] Node limit_range_of(Node amount);

/// What to do if pods fit no node with such an amount.
[[nodiscard]] std::string remedy_for_default(std::string_view resource);

/// Whether a part of the container's resources is unknown.
[[nodiscard]] bool has_open_resources(const Container& container);

/// Adds the defaults of the LimitRanges in the workload's namespace, as the admission plugin
/// LimitRanger does (plugin/pkg/admission/limitranger). Not to Pods that have a node or a status,
/// which may be older than the LimitRange, and not to containers whose resources an operator may
/// set.
void add_limit_defaults(const LimitObjects& ranges, Workload& workload);

}  // namespace gpulint

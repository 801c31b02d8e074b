#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/node_selection.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/prepared_node.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether the admission plugin ExtendedResourceToleration runs in the cluster.
enum class ExtendedResourceToleration : std::uint8_t { off, unknown, on };

class PodClaims;  // schedule/pod_claims.h

/// A pod, prepared to be compared with many nodes. `spec` must outlive it.
struct PreparedPod {
  const PodSpec* spec = nullptr;
  std::vector<Toleration> tolerations;  ///< Its own and those that the cluster certainly adds.
  std::vector<Toleration> possible_tolerations;  ///< Those that the cluster may add.
  NodeSelection selection;
  PodRequests requests;
  std::shared_ptr<const PodClaims> claims;  ///< Null if it has none, or before attach_claims().
  bool is_of_daemon_set = false;
  bool is_elsewhere = false;  ///< Bound to an unknown node; set by Placement.
};
[[nodiscard]] PreparedPod prepare_pod(
    const PodSpec& spec, ExtendedResourceToleration admission = ExtendedResourceToleration::off);
/// With the tolerations that the DaemonSet controller adds for conditions of the node.
[[nodiscard]] PreparedPod prepare_pod(
    const Workload& workload,
    ExtendedResourceToleration admission = ExtendedResourceToleration::off);

/// The pods of the workloads, in the same order. `jobs`: threads, as in parallel_for().
[[nodiscard]] std::vector<PreparedPod> prepare_pods(std::span<const Workload* const> workloads,
                                                    ExtendedResourceToleration admission,
                                                    unsigned jobs);

/// The amount of a resource that DaemonSets reserve and the pod cannot use; null if there is none,
/// and for pods of DaemonSets and bound pods.
[[nodiscard]] const Reservation* find_reserved(const PreparedNode& node, const PreparedPod& pod,
                                               std::string_view resource);

/// Sets `claims` of each pod that has claims. `pods`: the pods of the workloads, in the same order.
void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects);

enum class ReasonKind : std::uint8_t {
  insufficient_resource,
  node_affinity,
  node_affinity_error,  ///< As node_affinity, but a term cannot be parsed.
  node_selector,
  unschedulable,
  untolerated_taint,
  unallocated_claims,  ///< There are no devices for its resource claims.
};
/// `untolerated-taint` and so on, as in the output.
[[nodiscard]] std::string_view to_string(ReasonKind kind);

/// One reason why a pod does not fit, or may not fit, a node.
struct Reason {
  ReasonKind kind = ReasonKind::unschedulable;
  Ternary holds = Ternary::yes;  ///< `yes`: certain; `unknown`: possible.
  bool is_transient = false;     ///< A transient state of the node: cordoned, not ready.
  std::string detail;            ///< The taint as `key=value:effect`, or the resource's name.
  Node workload_node;            ///< The pod's half; null if the pod lacks something.
  Node pool_node;                ///< The node's half; null if the node lacks something.
  std::int64_t requested = 0;    ///< For insufficient_resource.
  std::int64_t offered = 0;
  /// Why the node offers no more: "after the requests of DaemonSet `agent`"; may be empty.
  std::string remark = {};
  /// Depends on a default that facts outside the inputs may change. It does not decide `fits`.
  bool is_assumed = false;
};

/// Whether transient states of a node (cordoned, not ready) count.
enum class Transient : std::uint8_t { counts, ignored };

/// Whether one pod fits one empty node. Reasons are in the order of ReasonKind.
struct Assessment {
  Ternary fits = Ternary::yes;
  std::vector<Reason> reasons;
};
[[nodiscard]] Assessment assess(const PreparedPod& pod, const PreparedNode& node,
                                Transient states = Transient::counts);
/// The same without reasons: faster.
[[nodiscard]] Ternary fits(const PreparedPod& pod, const PreparedNode& node,
                           Transient states = Transient::counts);

/// Whether a taint shows a transient state: controllers, not people, set and remove it.
[[nodiscard]] bool is_transient_taint(const Taint& taint);

/// The reason in the scheduler's own words: `node(s) had untolerated taint {gpu: true}`.
[[nodiscard]] std::string scheduler_text(const Reason& reason);

}  // namespace gpulint

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

/// A pod, read once to be held against many nodes. `spec` must outlive it.
struct PreparedPod {
  const PodSpec* spec = nullptr;
  std::vector<Toleration> tolerations;  ///< Its own and those that the cluster surely adds.
  std::vector<Toleration> possible_tolerations;  ///< Those that the cluster may add.
  NodeSelection selection;
  PodRequests requests;
  std::shared_ptr<const PodClaims> claims;  ///< Null: it has none, or nobody has looked.
  bool is_of_daemon_set = false;
  bool is_elsewhere = false;  ///< Bound to a node that is not known; set by Placement.
};
[[nodiscard]] PreparedPod prepare_pod(
    const PodSpec& spec, ExtendedResourceToleration admission = ExtendedResourceToleration::off);
/// With what the kind's controller adds: a DaemonSet's pods tolerate the conditions of their node.
[[nodiscard]] PreparedPod prepare_pod(
    const Workload& workload,
    ExtendedResourceToleration admission = ExtendedResourceToleration::off);

/// The pods of workloads, in their order. `jobs`: threads, as in parallel_for().
[[nodiscard]] std::vector<PreparedPod> prepare_pods(std::span<const Workload* const> workloads,
                                                    ExtendedResourceToleration admission,
                                                    unsigned jobs);

/// What pods of DaemonSets reserve of a resource before the pod; null if nothing.
[[nodiscard]] const Reservation* find_reserved(const PreparedNode& node, const PreparedPod& pod,
                                               std::string_view resource);

/// Gives each pod that has claims what it takes to allocate them. `pods`: those of the workloads.
void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects);

enum class ReasonKind : std::uint8_t {
  insufficient_resource,
  node_affinity,
  node_affinity_error,  ///< As node_affinity, and a term of it cannot be parsed.
  node_selector,
  unschedulable,
  untolerated_taint,
  unallocated_claims,  ///< Its resource claims find no devices.
};
/// `untolerated-taint` and so on, as in the output.
[[nodiscard]] std::string_view to_string(ReasonKind kind);

/// One thing that keeps, or may keep, a pod off a node.
struct Reason {
  ReasonKind kind = ReasonKind::unschedulable;
  Ternary holds = Ternary::yes;  ///< `yes`: certainly; `unknown`: it may.
  bool is_transient = false;     ///< A state of the node that passes: cordoned, not ready.
  std::string detail;            ///< The taint as `key=value:effect`, or the resource's name.
  Node workload_node;            ///< The pod's half; nothing where it is what the pod lacks.
  Node pool_node;                ///< The node's half, likewise.
  std::int64_t requested = 0;    ///< Of insufficient_resource.
  std::int64_t offered = 0;
  std::string remark = {};  ///< Why it offers no more: "after DaemonSet `agent`"; may be empty.
  /// By a default that something beside the inputs may change. It does not decide `fits`.
  bool is_assumed = false;
};

/// What becomes of states of a node that pass: cordoned, not ready.
enum class Transient : std::uint8_t { counts, ignored };

/// Whether one pod fits one node, if that were empty. Reasons in the order of ReasonKind.
struct Assessment {
  Ternary fits = Ternary::yes;
  std::vector<Reason> reasons;
};
[[nodiscard]] Assessment assess(const PreparedPod& pod, const PreparedNode& node,
                                Transient states = Transient::counts);
/// The same without reasons: faster.
[[nodiscard]] Ternary fits(const PreparedPod& pod, const PreparedNode& node,
                           Transient states = Transient::counts);

/// Whether a taint is of a state that passes: controllers set and remove it, not people.
[[nodiscard]] bool is_transient_taint(const Taint& taint);

/// The reason in the scheduler's own words: `node(s) had untolerated taint {gpu: true}`.
[[nodiscard]] std::string scheduler_text(const Reason& reason);

}  // namespace gpulint

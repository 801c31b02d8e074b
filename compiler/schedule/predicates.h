#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/node_labels.h"
#include "compiler/schedule/node_selection.h"
#include "compiler/schedule/pod_requests.h"
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

/// How much of a resource a node offers.
struct NodeResource {
  std::string name;
  std::int64_t amount = 0;  ///< Whole units; thousandths of `cpu`.
  bool is_open = false;
  Node node;
};

/// What pods of DaemonSets request of a resource on a node, which others do not get.
struct Reservation {
  std::string resource;
  std::int64_t amount = 0;               ///< As NodeResource has it.
  std::vector<const Workload*> daemons;  ///< By name.
};
/// What they leave of an amount; all of it if `reserved` is null.
[[nodiscard]] std::int64_t left_after(const Reservation* reserved, std::int64_t amount);
/// "after DaemonSet `agent`"; empty if `reserved` is null.
[[nodiscard]] std::string reserved_text(const Reservation* reserved);

/// A node or pool, read once. `pool` must outlive it.
struct PreparedNode {
  explicit PreparedNode(const NodePool& pool);

  const NodePool* pool;
  NodeLabels labels;
  std::vector<NodeResource> resources;  ///< Sorted by name.
  std::vector<Reservation> reserved;    ///< Empty unless a Placement fills it in.
  NodeName name;

  [[nodiscard]] const NodeResource* find_resource(std::string_view resource) const;
  /// Whether the node may offer a resource that it does not list.
  [[nodiscard]] bool may_offer_unlisted(std::string_view resource) const;
  /// What DaemonSets hold of a resource before the pod; null if nothing.
  [[nodiscard]] const Reservation* find_reserved(const PreparedPod& pod,
                                                 std::string_view resource) const;
};

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

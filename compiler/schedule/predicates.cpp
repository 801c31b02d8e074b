#include "compiler/schedule/predicates.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/parallel.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/extended_resource_toleration.h"
#include "compiler/schedule/pod_claims.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

constexpr std::string_view unschedulable_taint = "node.kubernetes.io/unschedulable";

/// Taints for node conditions that pods of DaemonSets tolerate.
struct Condition {
  std::string_view key;
  std::string_view effect;
};
constexpr std::array<Condition, 7> daemon_conditions{
    {{"node.kubernetes.io/not-ready", "NoExecute"},
     {"node.kubernetes.io/unreachable", "NoExecute"},
     {"node.kubernetes.io/disk-pressure", "NoSchedule"},
     {"node.kubernetes.io/memory-pressure", "NoSchedule"},
     {"node.kubernetes.io/pid-pressure", "NoSchedule"},
     {"node.kubernetes.io/unschedulable", "NoSchedule"},
     {"node.kubernetes.io/network-unavailable", "NoSchedule"}}};

[[nodiscard]] Toleration exists(std::string_view key, std::string_view effect) {
  return {.node = {},
          .key = Field<std::string>::known(std::string(key)),
          .op = Field<std::string>::known("Exists"),
          .value = {},
          .effect = Field<std::string>::known(std::string(effect)),
          .toleration_seconds = {}};
}

[[nodiscard]] Taint unschedulable() {
  return {.node = {},
          .key = Field<std::string>::known(std::string(unschedulable_taint)),
          .value = {},
          .effect = Field<std::string>::known("NoSchedule")};
}

/// The least favourable answer and, if requested, the reasons.
class FitResult {
 public:
  FitResult(Transient states, std::vector<Reason>* reasons) : states_(states), reasons_(reasons) {}

  [[nodiscard]] Ternary answer() const { return answer_; }
  [[nodiscard]] bool ignores_states() const { return states_ == Transient::ignored; }
  /// Whether further checks cannot change the result.
  [[nodiscard]] bool is_decided() const { return reasons_ == nullptr && answer_ == Ternary::no; }
  /// Lowers the answer to `holds` if that is worse. Returns whether a reason is required.
  [[nodiscard]] bool lower_to(Ternary holds) {
    answer_ = all_of(answer_, holds);
    return reasons_ != nullptr && holds != Ternary::yes;
  }
  void add(Reason reason) { reasons_->push_back(std::move(reason)); }

 private:
  Transient states_;
  Ternary answer_ = Ternary::yes;
  std::vector<Reason>* reasons_;
};

[[nodiscard]] Ternary tolerates_taint(const PreparedPod& pod, const Taint& taint) {
  Ternary answer = tolerated(pod.tolerations, taint);
  // A template may become any key, also that of a transient state.
  const bool is_open = pod.spec->tolerations_opaque || taint.key.is_opaque();
  if (answer == Ternary::no && is_open) answer = Ternary::unknown;
  if (answer != Ternary::no) return answer;
  const Ternary possible = tolerated(pod.possible_tolerations, taint);
  return possible == Ternary::no ? Ternary::no : Ternary::unknown;
}

[[nodiscard]] bool is_basic(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage";
}

/// Memory and cores of a shared GPU, which a separate scheduler counts (HAMi, Volcano, gpushare).
/// Nodes need not list them.
[[nodiscard]] bool is_counted_elsewhere(std::string_view resource) {
  return classify_resource(resource).kind == GpuResource::Kind::attribute;
}

void check_resource(const PreparedPod& pod, const PodRequest& request, const PreparedNode& node,
                    FitResult& result) {
  const NodeResource* const offer = node.find_resource(request.name);
  // Handwritten nodes often omit cpu and memory, which then do not count.
  if (offer == nullptr && is_basic(request.name)) return;
  if (request.amount <= 0 && !request.is_open) return;
  const Reservation* const reserved = find_reserved(node, pod, request.name);
  const std::int64_t offered = left_after(reserved, offer == nullptr ? 0 : offer->amount);
  const bool is_offer_open =
      offer == nullptr ? node.may_offer_unlisted(request.name) || is_counted_elsewhere(request.name)
                       : offer->is_open;
  Ternary fits = ternary(request.amount <= offered);
  if (is_offer_open || (request.is_open && fits == Ternary::yes)) fits = Ternary::unknown;
  if (!result.lower_to(fits)) return;
  result.add({.kind = ReasonKind::insufficient_resource,
              .holds = negate(fits),
              .detail = request.name,
              .workload_node = request.node,
              .pool_node = offer == nullptr ? Node{} : offer->node,
              .requested = request.amount,
              .offered = offered,
              .remark = reserved_text(reserved)});
}

void check_resources(const PreparedPod& pod, const PreparedNode& node, FitResult& result) {
  const NodeResource* const pods = node.find_resource("pods");
  if (pods != nullptr && !pods->is_open) {
    check_resource(pod, {.name = "pods", .amount = 1, .node = {}}, node, result);
  }
  for (const PodRequest& request : pod.requests.resources) {
    const bool is_claimed =
        pod.claims != nullptr && pod.claims->serves(request.name, node) == Ternary::yes;
    if (!is_claimed) check_resource(pod, request, node, result);
  }
  if (pod.requests.is_open && result.lower_to(Ternary::unknown)) {
    result.add({.kind = ReasonKind::insufficient_resource,
                .holds = Ternary::unknown,
                .detail = {},
                .workload_node = pod.spec->node,
                .pool_node = {}});
  }
}

void check_affinity(const PreparedPod& pod, const PreparedNode& node, FitResult& result) {
  const AffinityMatch match = match_affinity(pod.selection, node.labels, node.name);
  if (!result.lower_to(match.holds)) return;
  result.add({.kind = match.has_error ? ReasonKind::node_affinity_error : ReasonKind::node_affinity,
              .holds = negate(match.holds),
              .detail = {},
              .workload_node = pod.spec->node_affinity.node,
              .pool_node = {}});
}

void check_selector(const PreparedPod& pod, const PreparedNode& node, FitResult& result) {
  Ternary holds = pod.spec->node_selector_opaque ? Ternary::unknown : Ternary::yes;
  Node failed = pod.spec->node_selector_node;
  for (const LabelEntry& entry : pod.spec->node_selector) {
    const Ternary entry_holds = matches(entry, node.labels);
    if (entry_holds < holds) failed = entry.key.node;
    holds = all_of(holds, entry_holds);
  }
  if (!result.lower_to(holds)) return;
  result.add({.kind = ReasonKind::node_selector,
              .holds = negate(holds),
              .detail = {},
              .workload_node = failed,
              .pool_node = {}});
}

void check_taints(const PreparedPod& pod, const PreparedNode& node, FitResult& result) {
  const bool is_cordoned = node.pool->unschedulable && !result.ignores_states();
  if (is_cordoned && result.lower_to(tolerates_taint(pod, unschedulable()))) {
    result.add({.kind = ReasonKind::unschedulable,
                .holds = negate(tolerates_taint(pod, unschedulable())),
                .is_transient = true,
                .detail = {},
                .workload_node = pod.spec->tolerations_node,
                .pool_node = node.pool->node});
  }
  for (const Taint& taint : node.pool->taints) {
    if (result.ignores_states() && is_transient_taint(taint)) continue;
    const Ternary is_admitted = any_of(negate(is_hard(taint)), tolerates_taint(pod, taint));
    if (!result.lower_to(is_admitted)) continue;
    result.add({.kind = ReasonKind::untolerated_taint,
                .holds = negate(is_admitted),
                .is_transient = is_transient_taint(taint),
                .detail = to_string(taint),
                .workload_node = pod.spec->tolerations_node,
                .pool_node = taint.node});
  }
  for (const Taint& taint : node.pool->provider_taints) {
    const Ternary is_admitted = any_of(tolerates_taint(pod, taint), Ternary::unknown);
    if (!result.lower_to(is_admitted)) continue;
    result.add({.kind = ReasonKind::untolerated_taint,
                .holds = Ternary::unknown,
                .detail = to_string(taint),
                .workload_node = pod.spec->tolerations_node,
                .pool_node = node.pool->node});
  }
  if (node.pool->taints_complete) return;
  const Ternary everything = any_of(tolerated(pod.tolerations, Taint{}), Ternary::unknown);
  if (!result.lower_to(everything)) return;
  result.add({.kind = ReasonKind::untolerated_taint,
              .holds = Ternary::unknown,
              .detail = {},
              .workload_node = pod.spec->tolerations_node,
              .pool_node = node.pool->node});
}

void check_claims(const PreparedPod& pod, const PreparedNode& node, FitResult& result) {
  if (pod.claims == nullptr) return;
  const NodeDevices devices(node, pod.claims->inventory());
  const Ternary fits = pod.claims->fits(devices);
  if (!result.lower_to(fits)) return;
  const auto unserved = pod.claims->unserved(devices);
  std::string names;
  for (const UnservedClaim& claim : unserved) names += (names.empty() ? "" : " and ") + claim.name;
  result.add({.kind = ReasonKind::unallocated_claims,
              .holds = negate(fits),
              .detail = std::move(names),
              .workload_node = unserved.empty() ? Node{} : unserved.front().node,
              .pool_node = {}});
}

[[nodiscard]] Ternary check_all(const PreparedPod& pod, const PreparedNode& node,
                                FitResult result) {
  check_resources(pod, node, result);
  if (!result.is_decided()) check_affinity(pod, node, result);
  if (!result.is_decided()) check_selector(pod, node, result);
  if (!result.is_decided()) check_taints(pod, node, result);
  if (!result.is_decided()) check_claims(pod, node, result);
  return result.answer();
}

}  // namespace

PreparedPod prepare_pod(const PodSpec& spec, ExtendedResourceToleration admission) {
  PreparedPod pod{.spec = &spec,
                  .tolerations = spec.tolerations,
                  .possible_tolerations = {},
                  .selection = prepare_node_selection(spec),
                  .requests = compute_requests(spec),
                  .claims = {}};
  if (admission == ExtendedResourceToleration::off) return pod;
  std::vector<Toleration> admitted = admit_extended_resources(spec).tolerations;
  (admission == ExtendedResourceToleration::on ? pod.tolerations : pod.possible_tolerations) =
      std::move(admitted);
  return pod;
}

PreparedPod prepare_pod(const Workload& workload, ExtendedResourceToleration admission) {
  PreparedPod pod = prepare_pod(workload.pod, admission);
  if (!workload.kind.equals("DaemonSet")) return pod;
  pod.is_of_daemon_set = true;
  for (const Condition& condition : daemon_conditions) {
    pod.tolerations.push_back(exists(condition.key, condition.effect));
  }
  return pod;
}

std::vector<PreparedPod> prepare_pods(std::span<const Workload* const> workloads,
                                      ExtendedResourceToleration admission, unsigned jobs) {
  return parallel_map(workloads.size(), jobs,
                      [&](std::size_t i) { return prepare_pod(*workloads[i], admission); });
}

const Reservation* find_reserved(const PreparedNode& node, const PreparedPod& pod,
                                 std::string_view resource) {
  // A bound pod may be there before those of DaemonSets.
  if (pod.is_of_daemon_set || !pod.spec->node_name.is_absent()) return nullptr;
  const auto found = std::ranges::find(node.reserved, resource, &Reservation::resource);
  return found == node.reserved.end() ? nullptr : &*found;
}

void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects) {
  const bool has_classes = has_device_classes(objects);
  std::shared_ptr<const dra::Inventory> inventory;
  std::optional<ClaimSources> sources;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (pods[i].spec->resource_claims.empty() && !has_classes) continue;
    if (inventory == nullptr) inventory = read_inventory(objects);
    if (!sources) sources.emplace(objects);
    auto claims =
        std::make_shared<const PodClaims>(*workloads[i], pods[i].requests, *sources, inventory);
    if (!claims->is_empty()) pods[i].claims = std::move(claims);
  }
}

std::string_view to_string(ReasonKind kind) {
  switch (kind) {
    case ReasonKind::insufficient_resource:
      return "insufficient-resource";
    case ReasonKind::node_affinity:
      return "node-affinity";
    case ReasonKind::node_affinity_error:
      return "node-affinity-error";
    case ReasonKind::node_selector:
      return "node-selector";
    case ReasonKind::unschedulable:
      return "unschedulable";
    case ReasonKind::untolerated_taint:
      return "untolerated-taint";
    case ReasonKind::unallocated_claims:
      return "unallocated-claims";
  }
  return {};
}

Assessment assess(const PreparedPod& pod, const PreparedNode& node, Transient states) {
  Assessment assessment;
  assessment.fits = check_all(pod, node, FitResult(states, &assessment.reasons));
  return assessment;
}

Ternary fits(const PreparedPod& pod, const PreparedNode& node, Transient states) {
  return check_all(pod, node, FitResult(states, nullptr));
}

bool is_transient_taint(const Taint& taint) {
  static constexpr std::array<std::string_view, 8> prefixes = {
      "node.kubernetes.io/",
      "node.cloudprovider.kubernetes.io/",
      "ToBeDeletedByClusterAutoscaler",
      "DeletionCandidateOfClusterAutoscaler",
      "karpenter.sh/disrupt",
      "karpenter.sh/unregistered",
      "node.cilium.io/agent-not-ready",
      "ebs.csi.aws.com/agent-not-ready"};
  return taint.key.is_known() && std::ranges::any_of(prefixes, [&](std::string_view prefix) {
           return taint.key.value().starts_with(prefix);
         });
}

std::string scheduler_text(const Reason& reason) {
  switch (reason.kind) {
    case ReasonKind::insufficient_resource:
      if (reason.detail == "pods") return "Too many pods";
      return fmt::format("Insufficient {}", reason.detail);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return "didn't match Pod's node affinity/selector";
    case ReasonKind::unschedulable:
      return "were unschedulable";
    case ReasonKind::unallocated_claims:
      return "cannot allocate all claims";
    case ReasonKind::untolerated_taint: {
      const std::size_t colon = reason.detail.rfind(':');
      const std::string_view pair = std::string_view(reason.detail).substr(0, colon);
      const std::size_t equals = pair.find('=');
      return fmt::format("had untolerated taint {{{}: {}}}", pair.substr(0, equals),
                         equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    }
  }
  return {};
}

}  // namespace gpulint

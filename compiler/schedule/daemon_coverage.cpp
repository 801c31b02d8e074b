#include "compiler/schedule/daemon_coverage.h"

#include <algorithm>
#include <utility>

#include "compiler/schedule/cause_collector.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/pod_diagnosis.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

/// A GPU DaemonSet with its pod and role.
struct Daemon {
  const Workload* workload = nullptr;
  const PreparedPod* pod = nullptr;
  GpuDaemon what;
};

[[nodiscard]] std::vector<Daemon> find_daemons(const Placement& placement) {
  std::vector<Daemon> daemons;
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    const auto what = find_gpu_daemon(workload);
    const bool is_operand = workload.origin == Workload::Origin::values;
    if (what && (is_operand || is_placement_known(workload))) {
      daemons.push_back({&workload, &placement.pod(i), *what});
    }
  }
  return daemons;
}

class Coverage {
 public:
  explicit Coverage(const KnownNodes& nodes)
      : nodes_(nodes), daemons_(find_daemons(nodes.placement())) {}

  [[nodiscard]] std::vector<Cause> find_gaps() const {
    std::vector<Cause> causes;
    CauseCollector collector(causes);
    for (const Daemon& daemon : daemons_) {
      for (Cause& cause : gaps_of(daemon)) collector.add(std::move(cause), *daemon.workload);
    }
    return causes;
  }

 private:
  [[nodiscard]] std::vector<Cause> gaps_of(const Daemon& daemon) const {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      candidates.push_back({&nodes_, i, nodes_.assess(*daemon.pod, i)});
    }
    Candidates all;
    Candidates concerned;
    for (const Candidate& candidate : candidates) {
      all.push_back(&candidate);
      if (concerns(daemon, candidate)) concerned.push_back(&candidate);
    }
    // Nodes of a Karpenter pool are checked instead of the pool.
    const Candidates every = all;
    const auto is_known = [&](const Candidate* candidate) { return is_shown(*candidate, every); };
    std::erase_if(concerned, is_known);
    std::erase_if(all, is_known);
    if (concerned.empty()) return {};
    Candidates selected;
    std::ranges::copy_if(concerned, std::back_inserter(selected),
                         [](const Candidate* candidate) { return candidate->passes_selection(); });
    if (selected.empty()) {
      return is_known_by_name(daemon) ? selection_gaps(daemon, concerned, all)
                                      : std::vector<Cause>{};
    }
    const bool reaches_some = std::ranges::any_of(selected, [](const Candidate* candidate) {
      return candidate->certain(ReasonKind::untolerated_taint).empty();
    });
    if (reaches_some && !is_known_by_name(daemon)) return {};
    std::vector<Cause> causes;
    for (const Candidate* candidate : selected) {
      for (Cause& cause : untolerated_taints(*daemon.workload, *daemon.pod, {candidate})) {
        if (!evicts_on_purpose(daemon, cause)) causes.push_back(std::move(cause));
      }
    }
    return causes;
  }

  /// While AMD's Device Config Manager partitions GPUs, its taint must evict the device plugin
  /// (ROCm/gpu-operator, docs/dcm/applying-partition-profiles.rst).
  [[nodiscard]] static bool evicts_on_purpose(const Daemon& daemon, const Cause& cause) {
    const auto* const taint = std::get_if<UntoleratedTaint>(&cause.what);
    return taint != nullptr && taint->key == "amd-dcm" &&
           daemon.what.role == GpuDaemonRole::device_plugin;
  }

  /// Whether a DaemonSet among the inputs sets this label.
  [[nodiscard]] bool is_to_be_discovered(std::string_view key) const {
    const bool is_feature = key.find("feature.node.kubernetes.io/") != std::string_view::npos;
    if (!is_feature && key != "nvidia.com/gpu.present") return false;
    const auto role =
        is_feature ? GpuDaemonRole::node_feature_discovery : GpuDaemonRole::feature_discovery;
    return std::ranges::any_of(daemons_,
                               [&](const Daemon& daemon) { return daemon.what.role == role; });
  }

  /// Whether the inputs have Nodes of this Karpenter pool.
  [[nodiscard]] static bool is_shown(const Candidate& candidate, const Candidates& all) {
    if (candidate.pool().source != NodePool::Source::karpenter_node_pool) return false;
    const auto is_its_label = [&](const PoolLabel& label) {
      return label.key == "karpenter.sh/nodepool" && label.known == PoolLabel::Known::exact &&
             label.values.front() == candidate.pool().name;
    };
    return std::ranges::any_of(all, [&](const Candidate* other) {
      const NodePool& pool = other->pool();
      return pool.source == NodePool::Source::node &&
             std::ranges::any_of(pool.labels, is_its_label);
    });
  }

  /// Other DaemonSets may leave nodes out on purpose.
  [[nodiscard]] static bool is_known_by_name(const Daemon& daemon) {
    return daemon.what.role != GpuDaemonRole::other && daemon.what.role != GpuDaemonRole::network;
  }

  /// Whether each affinity term lists machine types, and the candidate has one of them.
  [[nodiscard]] static bool selects_machine_type(const Daemon& daemon, const Candidate& candidate) {
    const PreparedNode& node = candidate.known().node;
    const auto lists_types = [](const NodeTerm& term) {
      return std::ranges::any_of(term.labels, [](const NodeRequirement& requirement) {
        return requirement.op == NodeRequirement::Operator::in &&
               requirement.key.ends_with("kubernetes.io/instance-type");
      });
    };
    const NodeSelection& selection = daemon.pod->selection;
    return !selection.terms.empty() && std::ranges::all_of(selection.terms, lists_types) &&
           match_affinity(selection, node.labels, node.name).holds == Ternary::yes;
  }

  /// Whether a workload that may fit the candidate requests a device of the network plugin.
  [[nodiscard]] bool is_awaited(const Daemon& daemon, const Candidate& candidate) const {
    const Placement& placement = nodes_.placement();
    const auto is_offered = [&](const PodRequest& request) {
      return request.amount > 0 && request.name.starts_with(daemon.what.devices);
    };
    for (std::size_t i = 0; !daemon.what.devices.empty() && i < placement.workloads().size(); ++i) {
      const PreparedPod& pod = placement.pod(i);
      if (std::ranges::any_of(pod.requests.resources, is_offered) &&
          nodes_.fits(pod, candidate.node_class) != Ternary::no)
        return true;
    }
    return false;
  }

  /// Whether the candidate has GPUs of its vendor, and no other DaemonSet of the role may serve it.
  [[nodiscard]] bool concerns(const Daemon& daemon, const Candidate& candidate) const {
    const GpuDaemonRole role = daemon.what.role;
    // Before its device plugin has run, a node may have no sign of GPUs but a taint.
    const bool is_gpu_node = role == GpuDaemonRole::device_plugin
                                 ? looks_like_gpu_nodes(candidate.pool())
                                 : nodes_.has_accelerators(candidate.node_class) == Ternary::yes;
    if (!is_gpu_node) return false;
    if (role == GpuDaemonRole::network && !has_network_devices(candidate.pool()) &&
        !selects_machine_type(daemon, candidate) && !is_awaited(daemon, candidate))
      return false;
    const std::string_view vendor = accelerator_vendor(candidate.pool());
    if (!daemon.what.vendor.empty() && !vendor.empty() && vendor != daemon.what.vendor)
      return false;
    return std::ranges::none_of(daemons_, [&](const Daemon& other) {
      return other.workload != daemon.workload && other.what.role == daemon.what.role &&
             nodes_.fits(*other.pod, candidate.node_class) != Ternary::no;
    });
  }

  /// Not for labels that a running operator sets, or for requirements that exclude nodes on
  /// purpose.
  [[nodiscard]] std::vector<Cause> selection_gaps(const Daemon& daemon, const Candidates& concerned,
                                                  const Candidates& all) const {
    std::vector<Cause> causes = unmatched_selection(*daemon.pod, concerned, all);
    const bool is_deliberate = std::ranges::any_of(causes, [&](const Cause& cause) {
      const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what);
      return unmatched == nullptr || is_to_be_discovered(unmatched->key) ||
             unmatched->half == UnmatchedRequirement::Half::presence ||
             unmatched->key.starts_with("nvidia.com/gpu.deploy.") ||
             unmatched->key.starts_with("nvidia.com/mig.");
    });
    return is_deliberate ? std::vector<Cause>{} : causes;
  }

  const KnownNodes& nodes_;
  std::vector<Daemon> daemons_;
};

}  // namespace

std::vector<Cause> find_daemon_gaps(const KnownNodes& nodes) { return Coverage(nodes).find_gaps(); }

}  // namespace gpulint

#include "compiler/schedule/daemon_coverage.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/schedule/cause_collector.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/pod_diagnosis.h"

namespace gpulint {
namespace {

[[nodiscard]] bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t Size>
[[nodiscard]] bool holds_any(std::string_view text,
                             const std::array<std::string_view, Size>& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return holds(text, part); });
}

/// Name and images, in lower case.
[[nodiscard]] std::string describe(const Workload& workload) {
  std::string text = workload.name;
  for (const Container& container : workload.pod.containers) {
    text += ' ' + container.name.value_or("") + ' ' + container.image.value_or("");
  }
  return to_lower(text);
}

struct Word {
  std::string_view text;
  std::string_view vendor;
};
constexpr std::array<Word, 8> vendors = {{{"nvidia", "nvidia.com"},
                                          {"dcgm", "nvidia.com"},
                                          {"gpu-feature-discovery", "nvidia.com"},
                                          {"rocm", "amd.com"},
                                          {"amdgpu", "amd.com"},
                                          {"amd-gpu", "amd.com"},
                                          {"neuron", "aws.amazon.com"},
                                          {"habana", "habana.ai"}}};

[[nodiscard]] std::string_view vendor_of(std::string_view text) {
  for (const Word& word : vendors) {
    if (holds(text, word.text)) return word.vendor;
  }
  return {};
}

/// Network cards and other devices come with device plugins too, from the same vendors.
constexpr std::array<std::string_view, 7> other_devices = {"rdma", "sriov",   "mellanox", "network",
                                                           "fpga", "efa-k8s", "smarter"};

[[nodiscard]] std::optional<GpuDaemonRole> role_of(std::string_view text) {
  if (holds(text, "gpu-feature-discovery")) return GpuDaemonRole::feature_discovery;
  if (holds(text, "device-plugin")) return GpuDaemonRole::device_plugin;
  if (holds(text, "dcgm-exporter")) return GpuDaemonRole::monitoring;
  static constexpr std::array<std::string_view, 3> drivers = {"driver-installer", "nvidia-driver",
                                                              "gpu-driver"};
  if (holds_any(text, drivers)) return GpuDaemonRole::driver;
  return std::nullopt;
}

/// The vendor of a pool's accelerators; empty where nothing tells.
[[nodiscard]] std::string_view vendor_of(const NodePool& pool) {
  static constexpr std::array<std::string_view, 4> domains = {"nvidia.com", "amd.com",
                                                              "aws.amazon.com", "habana.ai"};
  const auto is_of = [](std::string_view name, std::string_view domain) {
    return name.starts_with(domain) && name.substr(domain.size()).starts_with('/');
  };
  for (const std::string_view domain : domains) {
    const auto is_resource = [&](const ResourceEntry& entry) {
      return is_of(entry.name.value, domain) && is_gpu_label(entry.name.value);
    };
    const auto is_label = [&](const PoolLabel& label) {
      if (domain == "nvidia.com" && label.key.ends_with("/gke-accelerator")) return true;
      return is_of(label.key, domain);
    };
    if (std::ranges::any_of(pool.allocatable, is_resource) ||
        std::ranges::any_of(pool.provider_resources, is_resource) ||
        std::ranges::any_of(pool.labels, is_label)) {
      return domain;
    }
  }
  return {};
}

/// A GPU DaemonSet and what it is held against.
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
    if (what && is_placement_known(workload)) {
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
    if (concerned.empty()) return {};
    Candidates selected;
    std::ranges::copy_if(concerned, std::back_inserter(selected),
                         [](const Candidate* candidate) { return candidate->passes_selection(); });
    if (selected.empty()) return selection_gaps(daemon, concerned, all);
    std::vector<Cause> causes;
    for (const Candidate* candidate : selected) {
      for (Cause& cause : untolerated_taints(*daemon.workload, *daemon.pod, {candidate})) {
        causes.push_back(std::move(cause));
      }
    }
    return causes;
  }

  /// GPU nodes of its vendor that no other DaemonSet of the role may serve.
  [[nodiscard]] bool concerns(const Daemon& daemon, const Candidate& candidate) const {
    if (nodes_.has_accelerators(candidate.node_class) != Ternary::yes) return false;
    const std::string_view vendor = vendor_of(candidate.pool());
    if (!daemon.what.vendor.empty() && vendor != daemon.what.vendor) return false;
    return std::ranges::none_of(daemons_, [&](const Daemon& other) {
      return other.workload != daemon.workload && other.what.role == daemon.what.role &&
             nodes_.fits(*other.pod, candidate.node_class) != Ternary::no;
    });
  }

  /// Labels that a running operator sets, and requirements that keep it off nodes on purpose, say
  /// nothing.
  [[nodiscard]] static std::vector<Cause> selection_gaps(const Daemon& daemon,
                                                         const Candidates& concerned,
                                                         const Candidates& all) {
    std::vector<Cause> causes = unmatched_selection(*daemon.pod, concerned, all);
    const bool is_deliberate = std::ranges::any_of(causes, [](const Cause& cause) {
      const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what);
      return unmatched == nullptr || unmatched->half == UnmatchedRequirement::Half::presence ||
             unmatched->key.starts_with("nvidia.com/gpu.deploy.") ||
             unmatched->key.starts_with("nvidia.com/mig.");
    });
    return is_deliberate ? std::vector<Cause>{} : causes;
  }

  const KnownNodes& nodes_;
  std::vector<Daemon> daemons_;
};

}  // namespace

std::string_view to_string(GpuDaemonRole role) {
  switch (role) {
    case GpuDaemonRole::device_plugin:
      return "device plugin";
    case GpuDaemonRole::driver:
      return "driver installer";
    case GpuDaemonRole::feature_discovery:
      return "feature discovery";
    case GpuDaemonRole::monitoring:
      return "GPU monitoring";
  }
  return {};
}

std::optional<GpuDaemon> find_gpu_daemon(const Workload& workload) {
  if (!workload.kind.equals("DaemonSet")) return std::nullopt;
  const std::string text = describe(workload);
  if (holds_any(text, other_devices)) return std::nullopt;
  const auto role = role_of(text);
  const std::string_view vendor = vendor_of(text);
  if (!role || (vendor.empty() && !holds(text, "gpu"))) return std::nullopt;
  return GpuDaemon{*role, vendor};
}

std::vector<Cause> find_daemon_gaps(const KnownNodes& nodes) { return Coverage(nodes).find_gaps(); }

}  // namespace gpulint

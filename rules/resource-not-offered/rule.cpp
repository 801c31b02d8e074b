#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/gpu_resource.h"
#include "rules/support/machines.h"
#include "rules/support/mig_strategy.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::resource_not_offered {
namespace {

/// A requested device that no node offers, while nodes offer one of the same name in another
/// domain: `squat.ai/dri` is requested, `devic.es/dri` is offered.
struct OtherDomain {
  const Workload* workload = nullptr;
  const ResourceEntry* asked = nullptr;
  std::string_view offered;        ///< The full name.
  const NodePool* pool = nullptr;  ///< The first that offers it.
  Node place;                      ///< Where it does.
};

[[nodiscard]] std::string_view domain_of(std::string_view name) {
  return name.substr(0, name.find('/'));
}

/// `dri` of `squat.ai/dri`; empty for resources without a domain, and for those of Kubernetes.
[[nodiscard]] std::string_view device_of(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || domain_of(name).ends_with("kubernetes.io")) return {};
  return name.substr(slash + 1);
}

[[nodiscard]] bool is_amount(const ResourceEntry& entry) {
  return entry.amount.is_known() && !entry.amount.value().is_zero();
}

class Search {
 public:
  explicit Search(const Corpus& corpus) : corpus_(corpus) {
    const auto& pools = corpus.cluster.pools;
    is_complete_ = !pools.empty() && std::ranges::all_of(pools, &NodePool::resources_complete) &&
                   std::ranges::none_of(corpus.objects, [](const KubernetesObject& object) {
                     return object.kind.equals("DeviceClass");
                   });
  }

  [[nodiscard]] std::vector<OtherDomain> run() && {
    if (!is_complete_) return {};
    for (const Workload& workload : corpus_.workloads) {
      for (const Container& container : workload.pod.containers) {
        for (const ResourceEntry& entry : container.resources.limits) look_at(workload, entry);
      }
    }
    return std::move(found_);
  }

 private:
  void look_at(const Workload& workload, const ResourceEntry& entry) {
    const std::string& name = entry.name.value;
    if (!is_amount(entry) || device_of(name).empty() || is_gpu_resource(name)) return;
    std::optional<OtherDomain> other;
    for (const NodePool& pool : corpus_.cluster.pools) {
      for (const ResourceEntry& offer : pool.allocatable) {
        const std::string& offered = offer.name.value;
        if (offered == name) return;
        if (other || device_of(offered) != device_of(name) || !is_amount(offer)) continue;
        other = {&workload, &entry, offered, &pool, offer.name.node};
      }
    }
    if (other) found_.push_back(*other);
  }

  const Corpus& corpus_;
  bool is_complete_ = false;
  std::vector<OtherDomain> found_;
};

/// Not for GPUs, which the placement checks. None if a pool or a DeviceClass may offer the device.
[[nodiscard]] std::vector<OtherDomain> find_other_domains(const Corpus& corpus) {
  return Search(corpus).run();
}

[[nodiscard]] const flyte::Installation* find_installation(const Corpus& corpus,
                                                           const Workload& workload) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    for (const flyte::CompiledPod& pod : installation.pods) {
      if (pod.workload.name == workload.name) return &installation;
    }
  }
  return nullptr;
}

/// The Flyte release that requests the resource for a task, if another one was likely meant.
[[nodiscard]] const flyte::LoadedRelease* find_release(const Corpus& corpus, const Cause& cause,
                                                       const MissingResource& resource) {
  const Workload& workload = *cause.workloads.front();
  if (workload.origin != Workload::Origin::compiled || resource.suggestion.empty()) return nullptr;
  const flyte::Installation* const installation = find_installation(corpus, workload);
  return installation == nullptr ? nullptr : &installation->loaded;
}

/// Flyte 2 requests the resource in `gpu-resource-name`; the name is fixed in Flyte 1. Empty if
/// there is nothing to say about Flyte's configuration.
[[nodiscard]] std::string help_for_task(const flyte::LoadedRelease& loaded,
                                        const MissingResource& resource) {
  if (loaded.version == FlyteVersion::v1 && resource.suggestion.ends_with(".shared")) {
    return fmt::format(
        "request `{0}` in the task's pod template, because Flyte 1 always requests `{1}`. Or set "
        "`renameByDefault: false` in the device plugin. Or add a node that offers `{1}`",
        resource.suggestion, resource.name);
  }
  const Field<std::string>& name = loaded.propeller.k8s.gpu_resource_name;
  if (loaded.version != FlyteVersion::v2 || !name.equals(resource.name)) return {};
  if (name.node()) return {};  // else deprecated, so that no fix adds it
  return fmt::format(
      "set `gpu-resource-name` to `{}`, which the nodes offer, or add a node that offers `{}`",
      resource.suggestion, resource.name);
}

/// Offers a fix of the name that Flyte 2 requests, where it is written.
void fix_flyte(const Corpus& corpus, Finding& finding, const flyte::LoadedRelease& loaded,
               const MissingResource& resource) {
  const Field<std::string>& name = loaded.propeller.k8s.gpu_resource_name;
  if (loaded.version != FlyteVersion::v2 || !name.equals(resource.name)) return;
  if (!name.node() || name.node().text() != resource.name) return;
  finding.fix(Safety::unsafe, fmt::format("set `gpu-resource-name: {}`", resource.suggestion),
              replace_string(*corpus.sources, name.node(), resource.suggestion));
}

void report(const Corpus& corpus, const OtherDomain& other, Reporter& reporter) {
  const std::string& asked = other.asked->name.value;
  Finding finding =
      reporter.report(other.asked->name.node, "{} requests `{}`, but no node offers this resource",
                      describe(*other.workload), asked);
  finding.related(other.place, fmt::format("{} offers `{}`, but not `{}`", describe(*other.pool),
                                           other.offered, asked));
  finding.help("request `{}`, which nodes offer, or configure the device plugin to offer `{}`",
               other.offered, asked);
  finding.fix(Safety::unsafe, fmt::format("request `{}`", other.offered),
              rename_resource(*corpus.sources, other.workload->pod, asked, other.offered));
}

/// The help if no node offers such a resource and the inputs do not show why.
[[nodiscard]] std::string remedy(const Cause& cause, std::string_view resource) {
  const std::string pool = describe(*cause.pool);
  if (cause.pool->source == NodePool::Source::node) {
    return fmt::format(
        "check that a device plugin offers `{}` on {}, or add a node that offers this resource",
        resource, pool);
  }
  return fmt::format("use machines with `{}` in {}, or select a pool that offers this resource",
                     resource, pool);
}

/// The accelerator that the cause's other place shows; empty if nodes offer none.
[[nodiscard]] std::string_view shown_resource(const MissingResource& resource) {
  if (!resource.suggestion.empty() || resource.offered.empty()) return resource.suggestion;
  return resource.offered.front();
}

/// The help if nodes offer other accelerators.
[[nodiscard]] std::string help_with_offered(const MissingResource& resource) {
  const std::string_view nodes = resource.is_elsewhere ? "the matching nodes" : "the nodes";
  if (resource.offered.size() == 1) {
    return fmt::format("request {}, which {} offer, or add a node that offers `{}`",
                       list(resource.offered), nodes, resource.name);
  }
  return fmt::format("request a resource that {} offer ({}), or add a node that offers `{}`", nodes,
                     list(resource.offered), resource.name);
}

/// Whether one of them explains the cause better.
[[nodiscard]] bool explain(const std::vector<OtherDomain>& others, const Cause& cause) {
  const std::string& name = std::get<MissingResource>(cause.what).name;
  return std::ranges::any_of(others, [&](const OtherDomain& other) {
    return other.asked->name.value == name &&
           std::ranges::find(cause.workloads, other.workload) != cause.workloads.end();
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<OtherDomain> others = find_other_domains(corpus);
  for (const OtherDomain& other : others) report(corpus, other, reporter);
  const MigStrategies strategies(corpus);
  for (const Cause* cause : causes_of<MissingResource>(corpus)) {
    if (strategies.explains(*cause) || explain(others, *cause)) continue;
    const auto& resource = std::get<MissingResource>(cause->what);
    Finding finding = reporter.report_span(
        cause->where, cause->demand, "{} requests `{}`, but no node{} offers this resource",
        describe(*cause), resource.name, resource.is_elsewhere ? " with the selected labels" : "");
    finding.related(cause->other,
                    fmt::format("{} offers `{}`, but not `{}`", describe(*cause->pool),
                                shown_resource(resource), resource.name));
    const bool shows_machines = relate_machines(finding, *cause, resource.name);
    const flyte::LoadedRelease* const release = find_release(corpus, *cause, resource);
    const std::string task_help =
        release == nullptr ? std::string() : help_for_task(*release, resource);
    if (!task_help.empty()) {
      finding.help("{}", task_help);
    } else if (!resource.offered.empty()) {
      finding.help("{}", help_with_offered(resource));
    }
    explain_idle_nodes(finding, corpus, resource.name);
    if (!finding.has_help()) finding.help("{}", remedy(*cause, resource.name));
    const std::string machines = describe_machines(*cause->pool, resource.name, 0);
    if (!shows_machines && !machines.empty()) finding.add_help(machines);
    relate_workloads(finding, *cause);
    if (release != nullptr) fix_flyte(corpus, finding, *release, resource);
    const Workload& workload = *cause->workloads.front();
    if (!cause->is_fix_verified || workload.origin == Workload::Origin::compiled) continue;
    if (!cause->demand.is_scalar() || cause->demand.text() != resource.name) continue;
    finding.fix(Safety::unsafe, fmt::format("request `{}`", resource.suggestion),
                rename_resource(*corpus.sources, workload.pod, resource.name, resource.suggestion));
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::resource_not_offered

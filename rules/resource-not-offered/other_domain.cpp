#include "rules/resource-not-offered/other_domain.h"

#include <algorithm>
#include <optional>

#include "compiler/model/gpu_resource.h"

namespace gpulint::rules::resource_not_offered {
namespace {

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

}  // namespace

std::vector<OtherDomain> find_other_domains(const Corpus& corpus) { return Search(corpus).run(); }

}  // namespace gpulint::rules::resource_not_offered

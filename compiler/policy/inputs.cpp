#include "compiler/policy/inputs.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/policy/cel_text.h"

namespace gpulint::policy {
namespace {

using On = RulePolicy::On;

/// The containers of a Pod cannot change, so only its creation counts. Groups that a cluster does
/// not have are ignored.
constexpr std::array<Resources, 10> resources{
    {{On::pods, "", "CREATE", "Pod"},
     {On::pods, "", "CREATE, UPDATE", "PodTemplate, ReplicationController"},
     {On::pods, "apps", "CREATE, UPDATE", "Deployment, StatefulSet, DaemonSet, ReplicaSet"},
     {On::pods, "batch", "CREATE, UPDATE", "Job, CronJob"},
     {On::pods, "ray.io", "CREATE, UPDATE", "RayCluster, RayJob, RayService"},
     {On::pods, "kubeflow.org", "CREATE, UPDATE", "PyTorchJob, TFJob, MPIJob"},
     {On::pods, "jobset.x-k8s.io", "CREATE, UPDATE", "JobSet"},
     {On::nodes, "", "CREATE, UPDATE", "Node"},
     {On::quotas, "", "CREATE, UPDATE", "ResourceQuota"},
     {On::claims, "resource.k8s.io", "CREATE, UPDATE",
      "ResourceClaim, ResourceClaimTemplate, DeviceClass"}}};

using Kind = GpuResource::Kind;

/// The names of these kinds in gpulint's tables, without patterns.
[[nodiscard]] std::vector<std::string> names_of_kinds(std::initializer_list<Kind> kinds) {
  std::vector<std::string> names;
  for (const KnownResource& resource : known_resources()) {
    const Kind kind = classify_resource(resource.name).kind;
    if (resource.name.find('<') != std::string_view::npos) continue;
    if (std::ranges::find(kinds, kind) != kinds.end()) names.emplace_back(resource.name);
  }
  return names;
}

/// As in resource names: `1g.5gb.me`.
[[nodiscard]] std::vector<std::string> mig_profiles() {
  std::set<std::string> names;
  for (const MigGpu& gpu : mig_gpus()) {
    std::vector<std::string_view> profiles(gpu.alternative_profiles.begin(),
                                           gpu.alternative_profiles.end());
    for (const MigGpuProfile& profile : gpu.profiles) profiles.push_back(profile.name);
    for (const std::string_view profile : profiles) {
      const std::string name = label_form(profile);
      if (classify_resource("nvidia.com/mig-" + name).kind == Kind::mig) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

/// The value of `nvidia.com/gpu.product` for the driver's name of a GPU.
[[nodiscard]] std::string product_of(std::string_view nvml_name) {
  std::string product(nvml_name);
  std::ranges::replace(product, ' ', '-');
  return product;
}

/// Adds an entry of a CEL map on its own line.
void add_entry(std::string& entries, std::string_view key, std::string_view literal) {
  entries += fmt::format("{}\n  {}: {}", entries.empty() ? "" : ",", cel_string(key), literal);
}

/// A CEL map from each product with MIG to its profiles.
[[nodiscard]] std::string product_profiles() {
  std::map<std::string, std::set<std::string>> products;
  for (const MigGpu& listed : mig_gpus()) {
    for (const std::string_view name : listed.nvml_names) {
      const std::string product = product_of(name);
      for (const MigGpu* gpu : mig_gpus_of_product(product)) {
        for (const MigGpuProfile& one : gpu->profiles)
          products[product].insert(label_form(one.name));
        for (const std::string_view one : gpu->alternative_profiles) {
          products[product].insert(label_form(one));
        }
      }
    }
  }
  std::string text;
  for (const auto& [product, profiles] : products) {
    add_entry(text, product, cel_list(std::vector<std::string>(profiles.begin(), profiles.end())));
  }
  return "{" + text + "}";
}

/// Common products without MIG.
[[nodiscard]] std::vector<std::string> whole_products() {
  std::vector<std::string> products;
  for (const std::string_view product :
       {"Tesla-T4", "Tesla-P4", "Tesla-P100-PCIE-16GB", "Tesla-P100-SXM2-16GB",
        "Tesla-V100-PCIE-16GB", "Tesla-V100-PCIE-32GB", "Tesla-V100-SXM2-16GB",
        "Tesla-V100-SXM2-32GB", "NVIDIA-A10", "NVIDIA-A10G", "NVIDIA-A16", "NVIDIA-A40",
        "NVIDIA-L4", "NVIDIA-L40", "NVIDIA-L40S", "NVIDIA-RTX-A6000"}) {
    if (mig_support(product) == Support::no) products.emplace_back(product);
  }
  return products;
}

/// A CEL map from labels to their successor, if it is the same everywhere.
[[nodiscard]] std::string legacy_labels() {
  std::string text;
  for (const Deprecation& row : deprecations()) {
    // alpha-gpu-api reports the first; preemptible machines are not Spot machines.
    const bool is_other = row.name == "alpha.kubernetes.io/nvidia-gpu-name" ||
                          row.name == "cloud.google.com/gke-preemptible";
    const bool is_of_some = !row.provider.empty() || !row.detail.empty() || row.name.ends_with('*');
    if (row.kind != DeprecationKind::label || is_other || is_of_some) continue;
    const std::string_view successor = row.replacement.substr(0, row.replacement.find('='));
    add_entry(text, row.name, cel_string(successor));
  }
  return "{" + text + "}";
}

/// Common misspellings of NVIDIA's and AMD's resources that gpulint also recognises.
[[nodiscard]] std::vector<std::string> slips() {
  std::vector<std::string> names;
  for (const std::string_view name :
       {"nvidia.com/gpus", "nvidia.com/GPU", "nvidia.com/Gpu", "nvidia.com/ggpu", "nvidia.com/gppu",
        "nvidia.com/gpuu", "nvidia.com/gup", "nvidia.com/pgu", "nvidia.com/mps", "nvidia/gpu",
        "nvidia.io/gpu", "nvdia.com/gpu", "nvida.com/gpu", "nvidea.com/gpu", "NVIDIA.com/gpu",
        "amd.com/gpus", "amd.com/GPU", "nvidia.com/mig1g.5gb", "nvidia.com/MIG-1g.5gb"}) {
    if (classify_resource(name).kind == Kind::near_miss) names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> Resources::kind_list() const {
  std::vector<std::string> list;
  std::string_view rest = kinds;
  while (!rest.empty()) list.emplace_back(trim(take_part(rest, ',')));
  return list;
}

std::string Resources::names() const {
  std::string names;
  for (const std::string& kind : kind_list()) {
    names += names.empty() ? "" : ", ";
    names += facts_of_kind(kind).plural;
  }
  return names;
}

std::span<const Resources> asked_resources() { return resources; }

std::vector<std::string> pod_kinds() {
  std::vector<std::string> kinds;
  for (const Resources& one : resources) {
    if (one.on == On::pods) std::ranges::move(one.kind_list(), std::back_inserter(kinds));
  }
  return kinds;
}

bool are_short(const Facts& facts) {
  constexpr std::size_t longest = 90'000;
  return cel_of(facts).size() <= longest;
}

Given give(const Facts& facts, FactsFrom from) {
  Given given;
  given.facts_are_parameters = from == FactsFrom::object;
  given.variables.push_back({"facts", given.facts_are_parameters ? "params.spec" : cel_of(facts)});
  given.variables.push_back(
      {"accelerators", cel_list(names_of_kinds({Kind::device, Kind::attribute}))});
  given.variables.push_back({"migProfiles", cel_list(mig_profiles())});
  given.variables.push_back({"measures", cel_list(names_of_kinds({Kind::attribute}))});
  given.variables.push_back({"legacyLabels", legacy_labels()});
  given.variables.push_back({"slips", cel_list(slips())});
  given.variables.push_back({"productProfiles", product_profiles()});
  given.variables.push_back({"wholeProducts", cel_list(whole_products())});
  given.known.insert("facts");
  if (!facts.mig_layouts.empty()) given.known.insert("mig-layouts");
  if (facts.knows_gpu_nodes) given.known.insert("nodes");
  constexpr int first_with_claims = 34;  // resource.k8s.io/v1
  if (facts.kubernetes_minor == 0 || facts.kubernetes_minor >= first_with_claims) {
    given.known.insert("kubernetes-1.34");
  }
  if (!facts.runtime_class.empty()) given.known.insert("runtime-class");
  return given;
}

}  // namespace gpulint::policy

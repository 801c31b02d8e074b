#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/pools/pool_facts.h"

namespace gpulint {
namespace {

using Names = std::vector<std::string_view>;

[[nodiscard]] Names gpu_names(std::string_view product) {
  Names names;
  for (const MigGpu* gpu : mig_gpus_of_product(product)) names.push_back(gpu->name);
  return names;
}

TEST_CASE("a product text names its partitionable GPUs") {
  CHECK(gpu_names("NVIDIA-A100-SXM4-40GB") == Names{"A100-40GB"});
  CHECK(gpu_names("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED") == Names{"A100-80GB"});
  CHECK(gpu_names("A100-PCIE-40GB") == Names{"A100-40GB"});
  CHECK(gpu_names("A800-SXM4-80GB") == Names{"A100-80GB"});
  CHECK(gpu_names("NVIDIA-H100-NVL") == Names{"H100-94GB"});
  CHECK(gpu_names("NVIDIA-GH200-480GB") == Names{"H100-96GB"});
  CHECK(gpu_names("H200-141GB") == Names{"H200-141GB"});
  CHECK(gpu_names("nvidia-h100-mega-80gb") == Names{"H100-80GB"});
  CHECK(gpu_names("nvidia-tesla-a100") == Names{"A100-40GB"});
  CHECK(gpu_names("NVIDIA-B200-192GB-HBM3e") == Names{"B200-180GB"});
  CHECK(gpu_names("RTX-PRO-6000-96GB") == Names{"RTX PRO 6000 Blackwell-96GB"});
  // Karpenter's name leaves the memory open.
  CHECK(gpu_names("a100") == Names{"A100-40GB", "A100-80GB"});
  CHECK(gpu_names("Tesla-T4").empty());
  CHECK(gpu_names("NVIDIA-A10G").empty());
  CHECK(gpu_names("").empty());
}

TEST_CASE("a machine type tells its accelerators, or that it has none, or nothing") {
  const auto count = [](std::string_view type, std::string_view resource) {
    const Machine* const machine = find_machine(type);
    return machine == nullptr ? std::nullopt : machine->count(resource);
  };
  CHECK(count("p4d.24xlarge", "nvidia.com/gpu") == 8);
  CHECK(count("g4dn.xlarge", "nvidia.com/gpu") == 1);
  CHECK(count("g4ad.xlarge", "nvidia.com/gpu") == 0);
  CHECK(count("g4ad.xlarge", "amd.com/gpu") == 1);
  CHECK(count("trn1.32xlarge", "aws.amazon.com/neuroncore") == 32);
  CHECK(count("m5.xlarge", "nvidia.com/gpu") == 0);
  CHECK(count("a2-megagpu-16g", "nvidia.com/gpu") == 16);
  CHECK(count("standard_nc24ads_a100_v4", "nvidia.com/gpu") == 1);
  CHECK(count("Standard_NC24ads_A100_v4", "nvidia.com/gpu") == 1);
  // A fraction of a GPU, devices of another kind, a type that nobody has heard of, one misspelt.
  for (const std::string_view type : {"g6f.large", "gr6f.4xlarge", "dl2q.24xlarge", "vt1.3xlarge",
                                      "m99.xlarge", "n1-standard-4", "P4d.24xlarge", ""}) {
    CHECK_FALSE(count(type, "nvidia.com/gpu").has_value());
  }
  CHECK(machines_of_family("p4d").size() == 1);
  CHECK(machines_of_family("p4").empty());
}

TEST_CASE("a pool has at most what its largest machine has, if all are known") {
  const auto most = [](std::vector<std::string> types) {
    NodePool pool;
    for (std::string& type : types) pool.machine_types.push_back({std::move(type), {}});
    return most_of(pool, "nvidia.com/gpu");
  };
  CHECK(most({"m5.xlarge", "g4dn.12xlarge"}) == 4);
  CHECK(most({"m5.xlarge", "c5.large"}) == 0);
  CHECK_FALSE(most({"m5.xlarge", "m99.large"}).has_value());
  CHECK_FALSE(most({}).has_value());
  NodePool karpenter;
  karpenter.labels.push_back(
      {"karpenter.k8s.aws/instance-family", PoolLabel::Known::one_of, {"g5", "p4d"}, {}});
  CHECK(most_of(karpenter, "nvidia.com/gpu") == 8);
  karpenter.labels.front().known = PoolLabel::Known::none_of;
  CHECK_FALSE(most_of(karpenter, "nvidia.com/gpu").has_value());
}

TEST_CASE("whether a device can be partitioned is known or left open") {
  CHECK(mig_support("nvidia-tesla-t4") == Support::no);
  CHECK(mig_support("nvidia-l4-vws") == Support::no);
  CHECK(mig_support("nvidia-tesla-a100") == Support::yes);
  CHECK(mig_support("NVIDIA-H100-NVL") == Support::yes);
  CHECK(mig_support("my-own-name") == Support::unknown);
}

TEST_CASE("a device is called differently elsewhere") {
  CHECK(device_values_in(DeviceVocabulary::gke, "nvidia-h100") ==
        Names{"nvidia-h100-80gb", "nvidia-h100-mega-80gb"});
  CHECK(device_values_in(DeviceVocabulary::gke, "nvidia-h200") == Names{"nvidia-h200-141gb"});
  CHECK(device_values_in(DeviceVocabulary::karpenter, "nvidia-tesla-t4") == Names{"t4"});
  CHECK(device_values_in(DeviceVocabulary::gfd, "nvidia-tesla-t4") == Names{"Tesla-T4"});
  CHECK(device_values_in(DeviceVocabulary::gke, "nvidia-a10g").empty());
  CHECK(device_values_in(DeviceVocabulary::gke, "unheard-of").empty());
}

TEST_CASE("SDK constants give device strings") {
  const FlyteAccelerator* a100 = find_accelerator(flytekit_accelerators(), "A100");
  REQUIRE(a100 != nullptr);
  CHECK(a100->device == "nvidia-tesla-a100");
  CHECK(std::ranges::count(a100->partitions, "2g.10gb") == 1);
  const FlyteAccelerator* h200 = find_accelerator(flyte2_accelerators(), "H200");
  REQUIRE(h200 != nullptr);
  CHECK(h200->device == "H200");
  CHECK(h200->label_value == "nvidia-h200");
  CHECK(find_accelerator(flytekit_accelerators(), "a100") == nullptr);
  CHECK(find_accelerator(flytekit_accelerators(), "V6E")->device_class == "GOOGLE_TPU");
}

TEST_CASE("instance types of EC2 have GPUs") {
  const auto g5 = gpus_of_instance_type("g5.xlarge");
  REQUIRE(g5.size() == 1);
  CHECK(g5[0]->product == "A10G");
  const auto p4de = gpus_of_instance_type("p4de.24xlarge");
  REQUIRE(p4de.size() == 1);
  CHECK(p4de[0]->product == "A100-80GB");
  REQUIRE(gpus_of_instance_type("p3.2xlarge").size() == 1);
  CHECK(gpus_of_instance_type("p3.2xlarge")[0]->product == "V100");
  CHECK(gpus_of_instance_type("m5.large").empty());
}

TEST_CASE("labels belong to providers") {
  CHECK(can_carry("gke", "cloud.google.com/gke-accelerator"));
  CHECK_FALSE(can_carry("eks", "cloud.google.com/gke-accelerator"));
  CHECK_FALSE(can_carry("gke", "karpenter.k8s.aws/instance-gpu-name"));
  CHECK(can_carry("eks", "karpenter.k8s.aws/instance-gpu-name"));
  // The user's own, and what NVIDIA's operator writes, may be anywhere.
  CHECK(can_carry("gke", "k8s.amazonaws.com/accelerator"));
  CHECK(can_carry("gke", "nvidia.com/gpu.product"));
  CHECK(can_carry("gke", "example.com/team"));
  CHECK(labels_with_role("gke", "partition").front()->key ==
        "cloud.google.com/gke-gpu-partition-size");
  CHECK(labels_with_role("aks", "pool").front()->key == "kubernetes.azure.com/agentpool");
  CHECK(labels_with_key("nvidia.com/mig-1g.5gb.count").size() == 1);
}

TEST_CASE("device labels have known values or are open") {
  const auto gke = device_values_of_label("cloud.google.com/gke-accelerator");
  CHECK(std::ranges::count(gke, "nvidia-tesla-t4") == 1);
  CHECK(std::ranges::count(gke, "nvidia-h100") == 0);
  CHECK(device_values_of_label("kubernetes.azure.com/accelerator") == Names{"nvidia"});
  CHECK(device_values_of_label("nvidia.com/gpu.product").empty());
  CHECK(device_values_of_label("k8s.amazonaws.com/accelerator").empty());
  CHECK(device_values_of_label("accelerator").empty());
}

TEST_CASE("providers taint and tolerate as documented") {
  CHECK(find_provider("gke")->extended_resource_toleration == Support::yes);
  CHECK(find_provider("generic")->extended_resource_toleration == Support::no);
  CHECK(find_provider("oke")->extended_resource_toleration == Support::unknown);
  const auto is_gke_gpu = [](const ProviderTaint& taint) {
    return taint.provider == "gke" && taint.key == "nvidia.com/gpu" && taint.set_by == "provider";
  };
  CHECK(std::ranges::count_if(provider_taints(), is_gke_gpu) == 1);
}

TEST_CASE("removed and deprecated things have successors") {
  CHECK(find_deprecated_api("extensions/v1beta1", "DaemonSet")->replacement == "apps/v1");
  CHECK(find_deprecated_api("ray.io/v1alpha1", "RayService")->replacement == "ray.io/v1");
  CHECK(find_deprecated_api("apps/v1", "DaemonSet") == nullptr);
  CHECK(find_deprecation(DeprecationKind::label, "beta.kubernetes.io/os")->replacement ==
        "kubernetes.io/os");
  CHECK(
      find_deprecation(DeprecationKind::resource, "alpha.kubernetes.io/nvidia-gpu")->replacement ==
      "nvidia.com/gpu");
  CHECK(find_deprecation(DeprecationKind::label, "nvidia.com/cuda.driver.rev")->replacement ==
        "nvidia.com/cuda.driver-version.revision");
  // Not deprecated, though it looks like the pod annotation.
  CHECK(find_deprecation(DeprecationKind::annotation,
                         "scheduler.alpha.kubernetes.io/defaultTolerations") == nullptr);
  CHECK(find_deprecated_label("accelerator", "nvidia", "aks") != nullptr);
  CHECK(find_deprecated_label("accelerator", "nvidia", "gke") == nullptr);
  CHECK(find_deprecated_label("accelerator", "nvidia-tesla-k80", "aks") == nullptr);
  CHECK(find_deprecated_label("beta.amd.com/gpu.family", "AI", "") != nullptr);
}

TEST_CASE("an API is removed from the version that no longer serves it") {
  const Deprecation* ingress = find_deprecated_api("extensions/v1beta1", "Ingress");
  CHECK(is_removed(*ingress, ""));
  CHECK(is_removed(*ingress, "1.22"));
  CHECK(is_removed(*ingress, "v1.31.2-gke.5"));
  CHECK_FALSE(is_removed(*ingress, "1.21.14"));
  CHECK_FALSE(is_removed(*find_deprecated_api("resource.k8s.io/v1beta1", "ResourceClaim"), ""));
  CHECK_FALSE(is_removed(*find_deprecated_api("ray.io/v1alpha1", "RayJob"), "1.40"));
}

TEST_CASE("kinds are found whatever their letter case, within their group") {
  CHECK(api_group("apps/v1") == "apps");
  CHECK(api_group("v1").empty());
  CHECK(find_kind("apps", "daemonset") == "DaemonSet");
  CHECK(find_kind("ray.io", "RAYCLUSTER") == "RayCluster");
  CHECK_FALSE(find_kind("", "DaemonSet"));
  CHECK_FALSE(find_kind("example.com", "Pod"));
  CHECK(api_version_of_kind("DaemonSet") == "apps/v1");
  CHECK(api_version_of_kind("Pod") == "v1");
  CHECK_FALSE(api_version_of_kind("Service"));  // Knative has one, too
  CHECK(kinds_of_closed_group("kubeflow.org").empty());
  CHECK_FALSE(kinds_of_closed_group("node.k8s.io").empty());
}

TEST_CASE("a row of a kind has its name, its scope, and the objects that it names") {
  CHECK(facts_of_kind("NetworkPolicy").plural == "networkpolicies");
  CHECK(facts_of_kind("PriorityClass").is_cluster_wide);
  CHECK_FALSE(facts_of_kind("LocalQueue").is_cluster_wide);
  CHECK(facts_of_kind("Job").group == "batch");  // the first of two
  CHECK(facts_of("batch.volcano.sh/v1alpha1", "Job").group == "batch.volcano.sh");
  CHECK(facts_of("example.com/v1", "Job").kind.empty());
  CHECK(facts_of("kueue.x-k8s.io/v1beta1", "ClusterQueue").references.size() == 4);
  for (const KindFacts& facts : all_kinds()) {
    CAPTURE(facts.kind);
    CHECK(&facts_of(facts.group.empty() ? "v1" : std::string(facts.group) + "/v1", facts.kind) ==
          &facts);
  }
}

TEST_CASE("a Kubernetes version has a minor version, or says nothing") {
  CHECK(kubernetes_minor("1.31") == 31);
  CHECK(kubernetes_minor("v1.9.11") == 9);
  CHECK(kubernetes_minor("1.31-gke.5") == 31);
  CHECK_FALSE(kubernetes_minor(""));
  CHECK_FALSE(kubernetes_minor("2.0"));
  CHECK_FALSE(kubernetes_minor("1.x"));
}

TEST_CASE("a gate that was there up to a version is gone in the next one") {
  const Deprecation* gate = find_deprecation(DeprecationKind::feature_gate, "DevicePlugins");
  REQUIRE(gate != nullptr);
  CHECK_FALSE(is_removed(*gate, "1.27"));
  CHECK(is_removed(*gate, "1.28"));
}

TEST_CASE("Flyte keys are found by path") {
  CHECK(find_flyte_plugin_key("resource-tolerations")->in_v1);
  CHECK_FALSE(find_flyte_plugin_key("accelerator-devices")->in_v1);
  CHECK(find_flyte_plugin_key("gpu-resource-name")->deprecated_in_v2);
  CHECK(find_flyte_plugin_key("gpu-resource-name")->default_v1 == "\"nvidia.com/gpu\"");
  CHECK(find_flyte_plugin_key("resource_tolerations") == nullptr);
}

}  // namespace
}  // namespace gpulint

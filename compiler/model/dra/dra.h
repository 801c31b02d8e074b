#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

// Dynamic resource allocation: `resource.k8s.io` and NVIDIA's driver for it.

/// A version of the API group.
struct DraApiVersion {
  std::string_view version;  ///< `v1`, `v1beta2` …
  std::string_view introduced;
  std::string_view deprecated;  ///< Kubernetes version; empty: not deprecated.
  std::string_view removed;     ///< First Kubernetes version without it; empty: stays.
};
/// For `resource.k8s.io/v1beta1`; null for unknown versions and other groups.
[[nodiscard]] const DraApiVersion* find_dra_version(std::string_view api_version);

/// A device class that NVIDIA's driver installs.
struct DraDeviceClass {
  std::string_view name;
  std::string_view extended_resource;  ///< That it may also serve; empty: none.
};
[[nodiscard]] std::span<const DraDeviceClass> dra_device_classes();
/// The NVIDIA class that a name probably means: a misspelling, or the name of an extended resource.
/// nullopt: it is one of them, or another driver's.
[[nodiscard]] std::optional<std::string_view> suggest_device_class(std::string_view name);

/// One request of a ResourceClaim or ResourceClaimTemplate; alternatives are listed one by one.
struct DeviceRequest {
  std::string name;
  Field<std::string> device_class;
  Node node;
};

/// A problem in the use of claims.
struct DraProblem {
  enum class Kind : std::uint8_t {
    misplaced_class,   ///< `deviceClassName` where this version requires `exactly`, or the reverse.
    no_class,          ///< A request without any class.
    undeclared_claim,  ///< A container uses a claim that the pod does not list.
    unused_claim,      ///< The pod lists a claim that no container uses.
    claim_source,      ///< Not exactly one of resourceClaimName and resourceClaimTemplateName.
    gpu_twice          ///< A GPU claim and an extended GPU resource in one container.
  };
  Kind kind = Kind::no_class;
  Node node;
  std::string detail;
};

/// A ComputeDomain of NVIDIA's driver, which creates a template of claims for its channels. Facts:
/// NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/computedomain.go.
struct ComputeDomain {
  Node object;
  Field<std::string> claim_template;  ///< spec.channel.resourceClaimTemplate.name
};
/// The device class of such a claim, which requests one device.
inline constexpr std::string_view channel_class = "compute-domain-default-channel.nvidia.com";
[[nodiscard]] std::optional<ComputeDomain> read_compute_domain(const KubernetesObject& object);

/// The requests of a ResourceClaim or ResourceClaimTemplate; empty for other kinds.
[[nodiscard]] std::vector<DeviceRequest> read_device_requests(const KubernetesObject& object);
/// Problems in the form of those requests for the object's apiVersion.
[[nodiscard]] std::vector<DraProblem> check_device_requests(const KubernetesObject& object);

/// Problems of a pod's claims by themselves. `gpu_twice`: one container has both; its class decides
/// elsewhere whether the claim is for a GPU.
[[nodiscard]] std::vector<DraProblem> check_pod_claims(const PodSpec& pod);

}  // namespace gpulint

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::events {

/// Who wrote a message.
enum class Speaker : std::uint8_t {
  scheduler,
  karpenter,
  cluster_autoscaler,
  kueue,
  volcano,
  kai,
  kubelet,
  api_server,  ///< And its admission plugins, by the controllers that it refuses.
  runtime,     ///< Of containers: containerd, CRI-O, NVIDIA's hooks and libraries in containers.
};
/// `kube-scheduler`, `cluster-autoscaler` and so on.
[[nodiscard]] std::string_view to_string(Speaker speaker);

/// What a message says is in the way. The first four are reasons of `gpulint place`.
enum class ClaimKind : std::uint8_t {
  insufficient_resource,
  untolerated_taint,
  node_affinity,   ///< Node selector or affinity; messages do not tell these apart.
  unschedulable,   ///< Cordoned.
  node_condition,  ///< Not ready, unreachable, under pressure.
  host_ports,
  pod_affinity,
  topology_spread,
  volume,
  device_claim,       ///< Of dynamic resource allocation.
  no_machine,         ///< No machine type that a pool may use would do.
  pool_limit,         ///< A pool is as large as it may become.
  scale_up,           ///< Nodes are on their way, or were and failed.
  quota,              ///< Of a queue, or a namespace's ResourceQuota.
  gang,               ///< Pods that start together or not at all.
  allocation_failed,  ///< The kubelet could not hand out devices.
  pod_security,       ///< The level that a namespace enforces.
  missing_object,     ///< What a pod names and nobody has made; `key` is its kind.
  invalid_amount,     ///< An amount that the API server does not let pass.
  denied,             ///< An object; key: the webhook, if one did; value: the path of a field.
  fraction,           ///< Of a device; key: its resource, value: the amount as printed.
  missing_runtime,    ///< A handler of a RuntimeClass that the node's runtime does not have.
  missing_driver,     ///< The driver's libraries are not in the container.
  missing_device,     ///< One that the Container Device Interface does not know.
  image_pull,         ///< `key` is the image, `value` what the container runtime answered.
  preemption,         ///< What taking another pod's place would do.
  other,
};
/// `insufficient-resource` and so on.
[[nodiscard]] std::string_view to_string(ClaimKind kind);

/// One thing that a message says.
struct Claim {
  ClaimKind kind = ClaimKind::other;
  std::optional<std::int64_t> count;  ///< Of nodes, node groups, or pods of a gang.
  std::string key;    ///< A resource, or the key of a taint or label; empty where none is named.
  std::string value;  ///< Of the taint or label; of others the amounts that are named.
  std::string pool;   ///< The node pool or flavor that it is about.
  std::string text;   ///< The words, on one line.
  std::size_t begin = 0;  ///< Where these stand in the text that was parsed, in bytes.
  std::size_t end = 0;
  friend bool operator==(const Claim&, const Claim&) = default;
};

/// A pod, as far as the text around a message names it.
struct Subject {
  std::string name;
  std::string name_space;  ///< Empty: not said.
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// One message.
struct Event {
  Speaker speaker = Speaker::scheduler;
  std::optional<std::int64_t> total;  ///< How many nodes (of a gang: pods) there are.
  Subject subject;                    ///< The name is empty where nothing names it.
  std::vector<Claim> claims;
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace gpulint::events

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
  api_server,  ///< With its admission plugins; controllers repeat its errors.
  runtime,     ///< containerd, CRI-O, NVIDIA's container hooks and libraries.
};
/// `kube-scheduler`, `cluster-autoscaler` and so on.
[[nodiscard]] std::string_view to_string(Speaker speaker);

/// What a message names as the obstacle. The first four are reasons of `gpulint place`.
enum class ClaimKind : std::uint8_t {
  insufficient_resource,
  untolerated_taint,
  node_affinity,   ///< Node selector or affinity: messages do not distinguish them.
  unschedulable,   ///< Cordoned.
  node_condition,  ///< Not ready, unreachable, under pressure.
  host_ports,
  pod_affinity,
  topology_spread,
  volume,
  device_claim,       ///< A claim of dynamic resource allocation.
  no_machine,         ///< No machine type of a pool meets the requirements.
  pool_limit,         ///< A pool has reached its maximum size.
  scale_up,           ///< Nodes are being created, or could not be created.
  quota,              ///< A queue's, or a ResourceQuota.
  gang,               ///< Some pods of a group that starts together do not fit.
  allocation_failed,  ///< The kubelet could not allocate devices.
  pod_security,       ///< The namespace enforces a stricter level.
  missing_object,     ///< The pod names an object that does not exist; `key` is its kind.
  invalid_amount,     ///< The API server rejects an amount.
  denied,             ///< An object; `key`: the webhook or empty; `value`: path of a field.
  fraction,           ///< Of a device; `key`: its resource; `value`: the amount as printed.
  missing_runtime,    ///< The node's runtime lacks the handler of a RuntimeClass.
  missing_driver,     ///< The driver's libraries are not in the container.
  missing_device,     ///< The Container Device Interface does not know the device.
  image_pull,         ///< `key`: the image; `value`: the container runtime's answer.
  preemption,         ///< Whether evicting other pods would help.
  other,
};
/// `insufficient-resource` and so on.
[[nodiscard]] std::string_view to_string(ClaimKind kind);

/// One statement of a message.
struct Claim {
  ClaimKind kind = ClaimKind::other;
  std::optional<std::int64_t> count;  ///< Of nodes, node groups, or pods of a gang.
  std::string key;                    ///< A resource, or the key of a taint or label; may be empty.
  std::string value;      ///< Of the taint or label; otherwise the amounts in the message.
  std::string pool;       ///< The node pool, flavor or ResourceQuota; may be empty.
  std::string text;       ///< The statement, on one line.
  std::size_t begin = 0;  ///< Position of `text` in the parsed text, in bytes.
  std::size_t end = 0;
  friend bool operator==(const Claim&, const Claim&) = default;
};

/// The pod that the text around a message names.
struct Subject {
  std::string name;
  std::string name_space;  ///< Empty if unknown.
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// One message.
struct Event {
  Speaker speaker = Speaker::scheduler;
  std::optional<std::int64_t> total;  ///< Number of nodes (of a gang: pods).
  Subject subject;                    ///< The name is empty if unknown.
  std::vector<Claim> claims;
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace gpulint::events

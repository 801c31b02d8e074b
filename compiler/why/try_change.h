#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// What to change on the nodes or the task so it fits. Missing tolerations are always added.
struct Change {
  enum class Nodes : std::uint8_t {
    as_they_are,
    single,  ///< MIG strategy `single` instead of `mixed`.
    relaid,  ///< Replaces an impossible MIG layout by the nearest possible one.
    cut      ///< Partitions the GPUs into the size that the task requests.
  };
  enum class Task : std::uint8_t {
    as_it_is,
    named,        ///< Requests the device by its name on the nodes.
    sized,        ///< The same if that name also contains the partition.
    whole,        ///< Requests no partition.
    named_whole,  ///< The same, by the name on the nodes.
    other,        ///< Requests the nodes' device instead of its own.
    templated,    ///< Requests the resource of the partition in the pod template.
    classed       ///< Flyte 2: a device class names the resource.
  };
  Nodes nodes = Nodes::as_they_are;
  Task task = Task::as_it_is;
  bool sets_labels = false;  ///< Labels that the task requires and nodes lack are set by hand.
};

/// What a successful change made.
struct Outcome {
  std::vector<std::pair<std::string, std::string>> labels;  ///< Set by hand, in order.
  std::vector<std::string> tolerations;  ///< taint_text() of the taints that got a toleration.
  std::string layout;                    ///< Partition size of the GPUs; empty if unchanged.
  std::string resource;                  ///< The GPU resource that the pod then requests.
  std::string device;                    ///< The device that the task then requests; may be empty.
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Tries a change on equal nodes. nullopt unless the workload certainly fits then.
[[nodiscard]] std::optional<Outcome> try_change(const Change& change, const Subject& subject,
                                                const NodePool& nodes);

/// The device and partition of the task's accelerator; empty if not requested.
struct AcceleratorDemand {
  std::string device;
  std::string partition;
};
[[nodiscard]] AcceleratorDemand accelerator_demand(const Subject& subject);

}  // namespace gpulint::why

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// What is done to nodes or task to get it onto them, beside the tolerations that it takes.
struct Change {
  enum class Nodes : std::uint8_t {
    as_they_are,
    single,  ///< MIG strategy `single` instead of `mixed`.
    relaid,  ///< GPUs cut into partitions that they do have, where the present layout cannot be.
    cut      ///< GPUs cut into partitions of the size that the task asks for.
  };
  enum class Task : std::uint8_t {
    as_it_is,
    named,        ///< Asks for the device by the name that nodes carry.
    sized,        ///< The same, where that name tells the partition, too.
    whole,        ///< Asks for no partition.
    named_whole,  ///< The same, by the name that nodes carry.
    other,        ///< Asks for the device that the nodes have, whatever it meant.
    templated,    ///< Requests the partition's resource in its pod template, without accelerator.
    classed       ///< Flyte 2, whose device classes name a resource.
  };
  Nodes nodes = Nodes::as_they_are;
  Task task = Task::as_it_is;
  bool sets_labels = false;  ///< What the task demands and nodes lack is set by hand.
};

/// The outcome of a change after which the workload fits.
struct Outcome {
  std::vector<std::pair<std::string, std::string>> labels;  ///< Set by hand, in order.
  std::vector<std::string> tolerations;  ///< taint_text() of those missing so far.
  std::string layout;                    ///< Size that GPUs are cut into then.
  std::string resource;                  ///< Requested then.
  std::string device;                    ///< Asked for then; may be empty.
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Tries a change on nodes that are alike; nullopt where the workload would not certainly fit.
[[nodiscard]] std::optional<Outcome> try_change(const Change& change, const Subject& subject,
                                                const NodePool& nodes);

/// What the task asks for of partitions and devices; empty where it does not.
struct AcceleratorDemand {
  std::string device;
  std::string partition;
};
[[nodiscard]] AcceleratorDemand accelerator_demand(const Subject& subject);

}  // namespace gpulint::why

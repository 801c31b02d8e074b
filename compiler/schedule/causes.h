#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

// Why a workload that concerns GPUs fits none of the nodes that the scope knows. Only what is
// certain: if any node may admit the pod, there is no cause.

/// No node offers the resource, though GPU nodes are known; or none of those that the pod selects.
struct MissingResource {
  std::string name;
  bool is_elsewhere = false;         ///< Nodes that the pod does not select offer it.
  std::vector<std::string> offered;  ///< Accelerators that nodes do offer, sorted.
  std::string suggestion;            ///< One of them, where it is likely to be meant; or empty.
};

/// A requirement of the nodeSelector or required affinity that no node meets.
struct UnmatchedRequirement {
  enum class Half : std::uint8_t {
    key,       ///< No node carries the label.
    value,     ///< Nodes carry the label, but with none of the values wanted.
    presence,  ///< Every node carries what must not be there.
  };
  Half half = Half::key;
  std::string key;
  std::string op;  ///< `In` for a nodeSelector.
  std::vector<std::string> wanted;
  std::vector<std::string> carried;  ///< Values that nodes carry under the key, sorted.
  Node key_node;                     ///< Where the key is written.
  Node value_node;                   ///< Where the (only) value is written; may be nothing.
  /// A label that nodes carry and that is likely to be meant; empty where there is none.
  std::string suggested_key;
  std::string suggested_value;
  Node suggested_node;
};

/// Every node that the pod selects has less of the resource in total.
struct ExceededAmount {
  std::string name;
  std::int64_t requested = 0;
  std::int64_t offered = 0;   ///< Of the largest.
  bool is_elsewhere = false;  ///< A node that the pod does not select has enough.
  std::string remark = {};    ///< Why the largest has no more; Reason::remark.
  bool is_assumed = false;    ///< Reason::is_assumed of the largest.
};

/// The only things between the workload and some node are taints; this is one of them.
struct UntoleratedTaint {
  enum class Miss : std::uint8_t {
    none,    ///< No toleration comes near.
    key,     ///< One has a misspelt key.
    value,   ///< One has the key, but not the value.
    effect,  ///< One has key and value, but not the effect.
  };
  std::string key;
  std::string value;
  std::string effect;
  Miss miss = Miss::none;
  Toleration near;  ///< Unless none.
  /// The admission plugin ExtendedResourceToleration would add the toleration.
  bool is_for_admission = false;
};

/// No node passes all predicates, and no single one of them is to blame.
struct NoNodeFits {
  bool is_each_met = false;   ///< Each label wanted is on some node, each amount too.
  std::vector<Reason> lacks;  ///< What keeps the pod off the best node.
  /// The pods request no GPU: they run beside those that do, or make GPUs work.
  bool is_beside_gpus = false;
};

/// One cause, and all that it keeps off.
struct Cause {
  std::variant<MissingResource, UnmatchedRequirement, ExceededAmount, UntoleratedTaint, NoNodeFits>
      what;
  Node blame;                              ///< The workload's half: manifest or configuration line.
  Span where;                              ///< What of it to point at.
  Node other;                              ///< The nodes' half, if one line states it.
  const NodePool* pool = nullptr;          ///< The node that comes nearest; never null.
  std::vector<const Workload*> workloads;  ///< In order; never empty.
  bool is_fix_verified = false;  ///< With what is suggested, the first workload fits some node.
};

/// Whether the placement of a workload is checked at all. False for templates that something else
/// completes, and for pods that do not wait for the scheduler.
[[nodiscard]] bool is_placement_known(const Workload& workload);

}  // namespace gpulint

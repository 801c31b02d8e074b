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

// Why a workload that concerns GPUs fits no node of its scope. Only certain causes: if any node may
// fit, there is none.

/// The scope has GPU nodes, but none of them, or none that the pod selects, offers the resource.
struct MissingResource {
  std::string name;
  bool is_elsewhere = false;         ///< Nodes that the pod does not select offer it.
  std::vector<std::string> offered;  ///< Accelerators that nodes do offer, sorted.
  std::string suggestion;            ///< The one that was likely meant; empty if there is none.
};

/// A requirement of the nodeSelector or the required node affinity that no node meets.
struct UnmatchedRequirement {
  enum class Half : std::uint8_t {
    key,       ///< No node has the label.
    value,     ///< Nodes have the label, but with none of the required values.
    presence,  ///< Every node has the label, which the pod excludes.
  };
  Half half = Half::key;
  std::string key;
  std::string op;  ///< As in the API; `In` for a nodeSelector.
  std::vector<std::string> wanted;
  std::vector<std::string> carried;  ///< The values of the label on nodes, sorted.
  Node key_node;                     ///< Where the key is written.
  Node value_node;                   ///< Where the only value is written; may be null.
  /// A label of nodes that was likely meant; empty if there is none.
  std::string suggested_key;
  std::string suggested_value;
  Node suggested_node;
};

/// Every node that the pod selects has less of the resource in total.
struct ExceededAmount {
  std::string name;
  std::int64_t requested = 0;
  std::int64_t offered = 0;  ///< The amount of the largest node.
  std::string remark = {};   ///< Reason::remark of the largest node.
  bool is_assumed = false;   ///< Reason::is_assumed of the largest node.
};

/// Only taints prevent the workload from running on some node; this is one of them.
struct UntoleratedTaint {
  enum class Miss : std::uint8_t {
    none,    ///< No toleration is similar.
    key,     ///< One has a misspelt key.
    value,   ///< One has the key, but not the value.
    effect,  ///< One has key and value, but not the effect.
  };
  std::string key;
  std::string value;
  std::string effect;
  Miss miss = Miss::none;
  Toleration near;  ///< The similar toleration; empty if `miss` is none.
  /// The admission plugin ExtendedResourceToleration would add the toleration.
  bool is_for_admission = false;
};

/// No node meets all requirements, and no single requirement is the cause.
struct NoNodeFits {
  bool is_each_met = false;   ///< Some node has each required label, and some node each amount.
  std::vector<Reason> lacks;  ///< Why the nearest node does not fit.
  /// The pods request no GPU: they run with pods that do, or manage GPUs.
  bool runs_with_gpus = false;
};

/// One cause, with all workloads that it concerns.
struct Cause {
  std::variant<MissingResource, UnmatchedRequirement, ExceededAmount, UntoleratedTaint, NoNodeFits>
      what;
  Node demand;                             ///< The workload's half: manifest or configuration line.
  Span where;                              ///< The part of `demand` to point at.
  Node other;                              ///< The nodes' half; null unless one line states it.
  const NodePool* pool = nullptr;          ///< The nearest node; never null.
  std::vector<const Workload*> workloads;  ///< In order; never empty.
  bool is_fix_verified = false;  ///< With the suggestions, the first workload fits some node.
};

/// Whether the scheduler places the workload's pods as the files have them. False for templates
/// that another object completes, for pods of a queue, and for pods that are bound or gated.
[[nodiscard]] bool is_placed_as_written(const Workload& workload);
/// The same, and its RuntimeClass, which may select nodes and tolerate taints, is known.
[[nodiscard]] bool is_placement_known(const Workload& workload);

}  // namespace gpulint

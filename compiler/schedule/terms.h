#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// One demand that nodes do not meet, as data: what a person would have to change for the pod to
/// get past it. Of a taint it is the demand of the nodes: `key`, `op` (`Equal`, or `Exists` of one
/// without a value) and `values` are of a toleration that would do.
struct Term {
  ReasonKind kind = ReasonKind::unschedulable;
  Ternary holds = Ternary::yes;  ///< `yes`: it certainly fails; `unknown`: it may.
  std::string key;               ///< Of a label or taint, or the resource's name.
  std::string op;                ///< Of the API (`In`, `Exists` …); `>=` of amounts.
  std::vector<std::string> values;
  std::string effect;  ///< Of a taint.
  /// What the nodes have instead: the label's value, the taint (`key=value:effect`), the amount;
  /// nullopt where they have nothing of the kind.
  std::optional<std::string> actual;
  std::string remark = {};  ///< Of an amount: why it is no more (Reason::remark).
  bool is_assumed = false;  ///< Of an amount: Reason::is_assumed.
  Node demanded;            ///< The pod's half, or where it belongs; nothing for what is built in.
  Node found;               ///< The nodes' half; what could hold it where it is not there.
  friend bool operator==(const Term&, const Term&) = default;
};

/// The terms that make up one reason of assess(). Several where several labels fail; of alternative
/// terms of an affinity those of the one that fails at the fewest.
[[nodiscard]] std::vector<Term> terms_of(const Reason& reason, const PreparedPod& pod,
                                         const NodeClass& nodes);

/// `A In [x, y]`, `A Exists`, `A=x` of one value, as people write it.
[[nodiscard]] std::string demand_text(const Term& term);

/// The taint as kubectl writes it: `key=value:effect`, `key:effect`. Empty where it is not known.
[[nodiscard]] std::string taint_text(const Term& term);

/// An amount as manifests have it: `500m` of `cpu`, `16Gi` of memory.
[[nodiscard]] std::string amount_text(std::string_view resource, std::int64_t amount);

}  // namespace gpulint

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// One demand that nodes do not meet. For a taint, `key`, `op` (`Equal`, or `Exists` for a taint
/// without a value) and `values` are those of a toleration that matches it.
struct Term {
  ReasonKind kind = ReasonKind::unschedulable;
  Ternary holds = Ternary::yes;  ///< `yes`: it certainly fails; `unknown`: it may fail.
  std::string key;               ///< The key of a label or taint, or the resource's name.
  std::string op;                ///< As in the API (`In`, `Exists` …); `>=` for amounts.
  std::vector<std::string> values;
  std::string effect;  ///< Of a taint.
  /// What the nodes have instead: the value of the label, the taint (`key=value:effect`), the
  /// amount; nullopt if they have none.
  std::optional<std::string> actual;
  std::string remark = {};  ///< For an amount: Reason::remark.
  bool is_assumed = false;  ///< For an amount: Reason::is_assumed.
  Node demanded;            ///< The pod's half, or where it belongs; null for what is built in.
  Node found;               ///< The nodes' half, or where it belongs.
  friend bool operator==(const Term&, const Term&) = default;
};

/// The terms of one reason of assess(): several if several labels fail. Of the alternatives of an
/// affinity, the one with the fewest failures counts.
[[nodiscard]] std::vector<Term> terms_of(const Reason& reason, const PreparedPod& pod,
                                         const NodeClass& nodes);

/// `A In [x, y]`, `A Exists`, `A=x`.
[[nodiscard]] std::string demand_text(const Term& term);

/// The taint as kubectl writes it: `key=value:effect`, `key:effect`. Empty if unknown.
[[nodiscard]] std::string taint_text(const Term& term);

/// An amount as in manifests: `500m` for `cpu`, `16Gi` for memory.
[[nodiscard]] std::string amount_text(std::string_view resource, std::int64_t amount);

}  // namespace gpulint

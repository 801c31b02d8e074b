#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// Keys of an operator's chart, or of the `spec` of its custom resource, in all releases that
/// facts/operator-keys.json names. Older or newer releases may have others.
struct OperatorKeys {
  std::string_view name;    ///< The usual name: "GPU Operator", `ClusterPolicy`.
  std::string_view charts;  ///< Names of the chart, separated by blanks; empty for kinds.
  std::string_view group;
  std::string_view kind;
  std::string_view top;  ///< Keys at its top, separated by blanks.
  /// Keys at its top that identify it: three of them, or all if there are fewer. A path
  /// (`operator.defaultRuntime`) is enough by itself. Empty: none.
  std::string_view signs;
  std::string_view also;  ///< Words that may be keys somewhere in the chart, separated by blanks.
  std::string_view keys;  ///< In the notation of schema.h.

  [[nodiscard]] bool is_chart() const { return !charts.empty(); }
  /// Whether the word is among `also`.
  [[nodiscard]] bool may_know(std::string_view key) const;
};

/// The keys of this object's kind; null if the kind is none of those.
[[nodiscard]] const OperatorKeys* find_operator_keys(const KubernetesObject& object);

/// Whether a file or its folder has the name of one of the charts, so it may have their values.
[[nodiscard]] bool is_named_like_chart(std::string_view path);

/// Values of one of the charts.
struct ChartUse {
  Node values;
  const OperatorKeys* keys = nullptr;
  bool has_more = false;   ///< The object that installs the chart names more values.
  std::string chart = {};  ///< As this object names it; empty if there is none.
};

/// Values of known charts in a document. The chart is identified by the object that installs it
/// (helm_values_source.h), by the values' key in the values of a parent chart, by the name of the
/// file or its folder, or by its signs. Except for the first way, half of the keys must be those of
/// the chart.
[[nodiscard]] std::vector<ChartUse> find_chart_uses(const Document& document,
                                                    std::string_view path);

}  // namespace gpulint

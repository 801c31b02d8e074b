#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// Keys of an operator's chart, or of the `spec` of its custom resource, of all releases that
/// facts/operator-keys.json names. A release that is older or newer may know others.
struct OperatorKeys {
  std::string_view name;    ///< As people call it: «GPU Operator», `ClusterPolicy`.
  std::string_view charts;  ///< Names of the chart, blanks between them; empty of kinds.
  std::string_view group;
  std::string_view kind;
  std::string_view top;  ///< Keys that stand at its top, blanks between them.
  /// Keys at its top that tell it: three of them, or all where they are fewer. A path
  /// (`operator.defaultRuntime`) is enough by itself. Empty: none do.
  std::string_view signs;
  std::string_view also;  ///< Words that may be keys somewhere in the chart, blanks between them.
  std::string_view keys;  ///< In the notation of schema.h.

  [[nodiscard]] bool is_chart() const { return !charts.empty(); }
  /// Whether the word is among `also`.
  [[nodiscard]] bool may_know(std::string_view key) const;
};

/// Of the kind of this object; null where it is none of those.
[[nodiscard]] const OperatorKeys* find_operator_keys(const KubernetesObject& object);

/// Values of one of the charts.
struct ChartUse {
  Node values;
  const OperatorKeys* keys = nullptr;
  bool has_more = false;  ///< What installs the chart names further values.
};

/// Values of known charts that a document holds. Which chart it is is told by what installs it
/// (helm_values_source.h), by the key that they stand under in the values of a chart around it, by
/// the name of the file or its folder, or by its signs; of all but the first, half of the keys must
/// be those of the chart.
[[nodiscard]] std::vector<ChartUse> find_chart_uses(const Document& document,
                                                    std::string_view path);

}  // namespace gpulint

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// Taints written as text, `KEY=VALUE:EFFECT`, as for `kubectl taint` and `--register-with-taints`.
/// The taints' node is the scalar of their text.
struct TaintSpecs {
  std::vector<Taint> taints;
  std::vector<Taint> removed;  ///< Specs that end in `-`; without value.
  std::string error;           ///< If not empty, no taint applies.
};
[[nodiscard]] TaintSpecs parse_taint_specs(std::span<const Value<std::string>> specs);

/// The three parts of a text, unchecked; the parts are as written.
struct TaintText {
  std::string_view key;
  std::string_view value;
  std::string_view effect;
};

/// A taint with known parts; empty values and effects read as absent.
[[nodiscard]] Taint make_taint(const TaintText& text, Node node);

/// The kubelet's error for taints in its configuration; empty: they are valid. The effect may be
/// missing.
[[nodiscard]] std::string kubelet_taint_error(const std::vector<Taint>& taints);

/// `NO_SCHEDULE`, `no-schedule` and the like in Kubernetes' spelling; others unchanged.
[[nodiscard]] Field<std::string> normalized_effect(const Field<std::string>& effect);

}  // namespace gpulint

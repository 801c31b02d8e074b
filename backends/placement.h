#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/span.h"

namespace gpulint {

/// Whether a workload fits a node; `open` where the node pool leaves it undecided.
enum class Verdict : std::uint8_t { fits, open, refused };

/// One workload on one node.
struct PlacementCell {
  Verdict verdict = Verdict::open;
  std::vector<std::string> reasons;  ///< In the scheduler's words; empty where it fits.
};

/// Workloads and tasks (rows) against nodes and node pools (columns) of one cluster, as the report
/// shows them. Of very many, the first.
struct PlacementMatrix {
  struct Row {
    std::string workload;
    std::vector<PlacementCell> cells;  ///< One for each node, in their order.
  };
  std::string cluster = {};  ///< The scope's name; empty where there is only one.
  std::vector<std::string> nodes;
  std::vector<Row> rows;
  std::size_t more_nodes = 0;  ///< Columns and rows that are left out.
  std::size_t more_rows = 0;
};

/// A pod that Flyte would create, as the report shows it.
struct CompiledPod {
  /// Which config line, or Flyte default, put an item into the pod.
  struct Origin {
    std::string pointer;  ///< JSON pointer into the pod spec, e.g. `/tolerations/0`.
    std::string key;      ///< The config key, or the name of the default.
    Span span;            ///< Where the key stands; meaningless unless `in_source`.
    bool in_source = false;
  };
  std::string task;
  std::string flyte_version;
  std::string error;  ///< Why Flyte refuses config or task; then `yaml` is empty.
  std::string yaml;
  std::vector<Origin> origins;
};

}  // namespace gpulint

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/span.h"

namespace gpulint {

namespace why {
struct Story;
}  // namespace why

/// Whether a workload fits a node; `open` means unknown.
enum class Verdict : std::uint8_t { fits, open, refused };

/// The kind of obstacle between a workload and a node, in the order that the scheduler checks.
enum class ReasonGroup : std::uint8_t { none, unschedulable, taint, label, resource };

/// One workload on one node.
struct PlacementCell {
  Verdict verdict = Verdict::open;
  std::vector<std::string> reasons;  ///< In the scheduler's words; empty if it fits.
  ReasonGroup obstacle = ReasonGroup::none;
  std::string brief = {};         ///< The same in few characters: `gpu 4 < 8`; may be empty.
  std::string detail = {};        ///< `reasons` with required and actual values; may be empty.
  std::vector<Span> places = {};  ///< The lines of the workload that require it.
};

/// Workloads and tasks (rows) against nodes and node pools (columns) of one cluster, as the report
/// shows them. Nodes with the same results for all workloads share a column, and workloads with the
/// same results a row; those that fit no node are first. Large matrices are cut.
struct PlacementMatrix {
  struct Workload {
    std::string name;
    std::optional<Span> place = {};     ///< Its object; nullopt for tasks.
    std::vector<Span> demands = {};     ///< Its lines that a node does not satisfy.
    const why::Story* story = nullptr;  ///< Why it fits no node; null if it fits one.
  };
  struct Row {
    std::vector<Workload> workloads;   ///< At least one.
    std::vector<PlacementCell> cells;  ///< One for each node, in their order.
    Verdict best = Verdict::open;
  };
  /// Counts all workloads, including those not shown and the tasks that Flyte rejects.
  struct Tally {
    std::size_t all = 0;
    std::size_t fitting = 0;
    std::size_t open = 0;
  };
  std::string cluster = {};               ///< The scope's name; empty if there is only one.
  std::vector<std::string> nodes;         ///< `A100-SXM4-80GB × 8, 4 nodes`; a lone node's name.
  std::vector<std::string> members = {};  ///< Names of a column's nodes; empty: as in `nodes`.
  std::vector<Row> rows;
  std::size_t more_nodes = 0;  ///< Columns and rows that are not shown.
  std::size_t more_rows = 0;
  Tally tally = {};
  std::vector<const why::Story*> refused = {};  ///< Tasks without a pod.
};

/// A pod that Flyte would create, as the report shows it.
struct CompiledPod {
  std::string task;
  std::string flyte_version;
  std::string error;  ///< Why Flyte rejects config or task; then `yaml` is empty.
  std::string yaml;   ///< With the origin of every item as a comment.
};

}  // namespace gpulint

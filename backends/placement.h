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

/// Whether a workload fits a node; `open` where the node pool leaves it undecided.
enum class Verdict : std::uint8_t { fits, open, refused };

/// What keeps a workload off a node, in the order in which the scheduler looks.
enum class ReasonGroup : std::uint8_t { none, unschedulable, taint, label, resource };

/// One workload on one node.
struct PlacementCell {
  Verdict verdict = Verdict::open;
  std::vector<std::string> reasons;  ///< In the scheduler's words; empty where it fits.
  ReasonGroup obstacle = ReasonGroup::none;
  std::string brief = {};         ///< The same in few letters: `gpu 4 < 8`; may be empty.
  std::string detail = {};        ///< `reasons` with what is demanded and there; may be empty.
  std::vector<Span> places = {};  ///< The lines of the workload that ask for it.
};

/// Workloads and tasks (rows) against nodes and node pools (columns) of one cluster, as the report
/// shows them: what all workloads meet alike is one column. Of very many, the first.
struct PlacementMatrix {
  struct Row {
    std::string workload;
    std::vector<PlacementCell> cells;  ///< One for each node, in their order.
    Verdict best = Verdict::open;
    std::optional<Span> place = {};     ///< The object that it is of; none of tasks.
    const why::Story* story = nullptr;  ///< Why it fits nowhere; null where it does.
  };
  /// All workloads, those that are left out and the tasks that Flyte refuses included.
  struct Tally {
    std::size_t all = 0;
    std::size_t fitting = 0;
    std::size_t open = 0;
  };
  std::string cluster = {};  ///< The scope's name; empty where there is only one.
  std::vector<std::string> nodes;
  std::vector<std::string> members = {};  ///< Names of all nodes of a column; empty: only one.
  std::vector<Row> rows;
  std::size_t more_nodes = 0;  ///< Columns and rows that are left out.
  std::size_t more_rows = 0;
  Tally tally = {};
  std::vector<const why::Story*> refused = {};  ///< Tasks without a pod.
};

/// A pod that Flyte would create, as the report shows it.
struct CompiledPod {
  std::string task;
  std::string flyte_version;
  std::string error;  ///< Why Flyte refuses config or task; then `yaml` is empty.
  std::string yaml;   ///< With the origin of every item as a comment.
};

}  // namespace gpulint

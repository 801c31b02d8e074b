#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/server/workspace.h"

namespace gpulint::server {

/// A part of a pod that nodes answer to (an entry of `nodeSelector` or of resources, a requirement
/// of node affinity, a toleration), or of a node that pods answer to (a label, a taint, an amount).
struct NodeMatches {
  Span span;                 ///< The part.
  std::string text;          ///< Markdown: which nodes or pods match it.
  std::vector<Span> places;  ///< What matches it.
};

/// The part at an offset of a file, also where Flyte takes it from for the pods of tasks. Nullopt
/// if there is none there, or no node is known.
[[nodiscard]] std::optional<NodeMatches> find_matches(CheckedRoot& root, FileId file,
                                                      std::uint32_t offset);

}  // namespace gpulint::server

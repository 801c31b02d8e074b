#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/server/workspace.h"

namespace gpulint::server {

/// A part of a pod that nodes answer to: an entry of `nodeSelector` or of resources, or a
/// toleration.
struct NodeMatches {
  Span span;                 ///< The part.
  std::string text;          ///< Markdown: which of the known nodes have what it names.
  std::vector<Span> places;  ///< The labels, taints or amounts of those nodes.
};

/// The part of a workload at an offset of a file. Nullopt if there is none there, or no node is
/// known.
[[nodiscard]] std::optional<NodeMatches> find_matches(CheckedRoot& root, FileId file,
                                                      std::uint32_t offset);

}  // namespace gpulint::server

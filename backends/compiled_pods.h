#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "backends/placement.h"
#include "compiler/base/source_file.h"
#include "compiler/flyte/inject.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// The pods of `gpulint compile`, as JSON with the origin of every item. `jobs`: threads, as in
/// parallel_for().
void emit_compiled_json(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs = 1);

/// The pods as YAML, one document each, with the origin of every item as a comment. A task that
/// Flyte rejects is a comment with the reason and its place.
void emit_compiled_yaml(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs = 1);

/// The same as one text.
struct PodText {
  std::string text;
  /// Where items come from: the place in a file, by the offset where the item's first line ends,
  /// before its comment. Ascending.
  std::vector<std::pair<std::size_t, Node>> origins;
};
[[nodiscard]] PodText compiled_yaml(const std::vector<const flyte::CompiledPod*>& pods,
                                    const SourceSet& sources);

/// One pod as the report shows it: its YAML as above, without the line about the task.
[[nodiscard]] CompiledPod report_pod(const flyte::CompiledPod& pod, const SourceSet& sources);

}  // namespace gpulint

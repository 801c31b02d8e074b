#pragma once

#include <ostream>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/inject.h"

namespace gpulint {

/// The pods of `gpulint compile`, as JSON with the origin of every item.
void emit_compiled_json(const std::vector<flyte::CompiledPod>& pods, const SourceSet& sources,
                        std::ostream& out);

/// The pods as YAML, a document each, with the origin of every item as a comment. A task that Flyte
/// refuses is a comment with the reason and its place.
void emit_compiled_yaml(const std::vector<flyte::CompiledPod>& pods, const SourceSet& sources,
                        std::ostream& out);

}  // namespace gpulint

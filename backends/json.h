#pragma once

#include <nlohmann/json.hpp>

#include "backends/backend.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/ternary.h"
#include "compiler/why/story.h"

namespace gpulint {

/// `{"start", "end"}` of a span, each with line, column and byte offset.
[[nodiscard]] nlohmann::ordered_json range_json(const SourceFile& file, Span span);

/// True, false, or null for unknown.
[[nodiscard]] nlohmann::ordered_json ternary_json(Ternary value);

/// `{"file", "range"}` of a node's key, or of the node if it has no key; null for no node.
[[nodiscard]] nlohmann::ordered_json node_place_json(Node node, const SourceSet& sources);

/// Adds `key`, `operator`, `values` and `actual` of a term, as far as it has them.
void put_term(const Term& term, nlohmann::ordered_json& object);

/// `{"chart", "template", "object", "path"}` of a finding in rendered text, and `others` if its
/// place decides several objects.
[[nodiscard]] nlohmann::ordered_json rendered_json(const RenderedPlace& place);

/// A finding as in `check --format json`.
[[nodiscard]] nlohmann::ordered_json diagnostic_json(const Run& run, const Diagnostic& diagnostic);

/// A workload or task as in `why --format json`.
[[nodiscard]] nlohmann::ordered_json story_json(const why::Story& story, const SourceSet& sources);

}  // namespace gpulint

#include "backends/place_json.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json position_json(const SourceFile& file, std::uint32_t offset) {
  const Position at = file.position(offset);
  return {{"line", at.line}, {"column", at.column}, {"offset", file.has_lines() ? offset : 0}};
}

}  // namespace

Json range_json(const SourceFile& file, Span span) {
  return {{"start", position_json(file, span.begin)}, {"end", position_json(file, span.end)}};
}

Json ternary_json(Ternary value) {
  return value == Ternary::unknown ? Json() : Json(value == Ternary::yes);
}

Json node_place_json(Node node, const SourceSet& sources) {
  if (!node) return nullptr;
  const Span span = node.written().key_span();
  const SourceFile& file = sources.file(span);
  return {{"file", file.path()}, {"range", range_json(file, span)}};
}

void put_term(const Term& term, Json& object) {
  if (term.key.empty()) return;
  object["key"] = term.key;
  if (!term.op.empty()) object["operator"] = term.op;
  object["values"] = term.values;
  object["actual"] = term.actual ? Json(*term.actual) : Json();
}

}  // namespace gpulint

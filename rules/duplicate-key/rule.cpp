#include "compiler/engine/rule.h"

#include <string_view>
#include <unordered_map>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

void check_mapping(const Corpus& corpus, Reporter& reporter, Node mapping) {
  std::unordered_map<std::string_view, Node> first;
  for (const auto& [key, value] : mapping.entries()) {
    if (!key.is_scalar() || key.is_opaque() || key.text() == "<<") continue;
    const auto [at, is_new] = first.try_emplace(key.text(), value);
    if (is_new) continue;
    reporter.report(key, "the key `{}` stands twice in this mapping", key.text())
        .related(at->second.key(), "first given here; this value is lost")
        .help("kubectl and Helm silently keep the last one, Flyte refuses to start; keep one")
        .fix(Safety::unsafe, "remove the first, which is lost today",
             remove_entry(*corpus.sources, at->second));
    at->second = value;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    walk(root(*document), [&](Node node) {
      if (node.is_mapping()) check_mapping(corpus, reporter, node);
    });
  }
}

}  // namespace

extern constinit const Rule duplicate_key;
constinit const Rule duplicate_key{
    .info = {.id = "duplicate-key",
             .category = "reading",
             .summary = "The same key stands twice in one mapping; one of the values is lost.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules

#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "rules/support/edits.h"
#include "rules/support/yaml_text.h"

namespace gpulint::rules {
namespace {

constexpr std::size_t most = 1000;  // entries of a mapping to be compared one by one

/// Whether nothing is lost when `lost` goes: the other says as much under the same keys.
[[nodiscard]] bool is_covered(Node lost, Node kept) {
  if (lost.kind() != kept.kind() || lost.size() > most || kept.size() > most) return false;
  if (lost.is_scalar()) return true;
  if (!lost.is_mapping()) return flow_text(lost) == flow_text(kept);
  return std::ranges::all_of(lost.fields(), [&](const Node::Entry& entry) {
    const Node other = kept.get(entry.key.text());
    return other && is_covered(entry.value, other);
  });
}

/// Moves what only the lost mapping has into the one that is read; nothing where both speak of one
/// key and differ below it.
[[nodiscard]] std::vector<Edit> merge_mappings(const SourceSet& sources, Node lost, Node kept) {
  std::vector<Edit> edits;
  if (lost.size() > most || kept.size() > most) return {};
  for (const auto& [key, value] : lost.fields()) {
    if (const Node other = kept.get(key.text())) {
      if (!is_covered(value, other)) return {};
      continue;
    }
    if (kept.size() == 0) return {};
    const std::vector<Edit> added =
        insert_entry(sources, kept, key.text(), entry_value(sources, value, kept.style()));
    if (added.size() != 1) return {};
    if (edits.empty()) edits.push_back({added.front().span, ""});
    edits.front().text += added.front().text;  // all at the mapping's end
  }
  return edits;
}

[[nodiscard]] bool is_list_of_mappings(Node list) {
  const std::vector<Node> items = list.items();
  return std::ranges::all_of(items, [](Node item) { return item.is_mapping(); });
}

struct Merge {
  std::string_view title;
  std::vector<Edit> edits;
};
/// Keeps one key without losing what only the first one says; no edits where that cannot be told.
[[nodiscard]] Merge merge(const SourceSet& sources, Node lost, Node kept) {
  std::vector<Edit> removal = remove_entry(sources, lost);
  if (is_covered(lost, kept)) return {"remove the first, which is lost today", std::move(removal)};
  std::vector<Edit> edits;
  if (lost.is_mapping() && kept.is_mapping()) edits = merge_mappings(sources, lost, kept);
  if (lost.is_sequence() && is_list_of_mappings(lost) && is_list_of_mappings(kept)) {
    edits = append_items_of(sources, kept, lost);
  }
  if (edits.empty() || removal.empty()) return {};
  std::ranges::move(removal, std::back_inserter(edits));
  return {"merge them, so that nothing is lost", std::move(edits)};
}

/// Whether two keys are alike, which they are in few mappings.
[[nodiscard]] bool may_repeat(Node mapping) {
  const auto text = [](const Node::Entry& entry) { return entry.key.text(); };
  std::vector<Node::Entry> entries = mapping.entries();
  std::ranges::sort(entries, {}, text);
  return std::ranges::adjacent_find(entries, {}, text) != entries.end();
}

void check_mapping(const Corpus& corpus, Reporter& reporter, Node mapping) {
  std::unordered_map<std::string_view, Node> first;
  for (const auto& [key, value] : mapping.entries()) {
    if (!key.is_scalar() || key.is_opaque() || key.text() == "<<") continue;
    const auto [at, is_new] = first.try_emplace(key.text(), value);
    if (is_new) continue;
    Merge merged = merge(*corpus.sources, at->second, value);
    reporter.report(key, "the key `{}` stands twice in this mapping", key.text())
        .related(at->second.key(), "first given here; this value is lost")
        .help("kubectl and Helm silently keep the last one, Flyte refuses to start; keep one")
        .fix(Safety::unsafe, std::string(merged.title), std::move(merged.edits));
    at->second = value;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    walk(root(*document), [&](Node node) {
      if (node.is_mapping() && may_repeat(node)) check_mapping(corpus, reporter, node);
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

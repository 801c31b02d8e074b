#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/layout.h"
#include "compiler/ir/node.h"
#include "rules/duplicate-key/merge.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::duplicate_key {
namespace {

/// Whether the keys are those of an object: both that name its type, and others.
[[nodiscard]] bool is_object(const std::set<std::string_view>& keys) {
  return keys.contains("apiVersion") && keys.contains("kind") && keys.size() > 2;
}

/// The first keys of the second and later Kubernetes objects in a mapping where `---` is missing
/// between them: `apiVersion` and `kind` are both repeated at the start of a line, and each object
/// has more than these two keys.
[[nodiscard]] std::vector<Node> objects_run_together(Node mapping) {
  if (mapping.parent() || mapping.style() != Style::block) return {};
  std::vector<Node> begins;
  std::set<std::string_view> keys;
  bool has_repeated = false;  // another key before the types: where the object begins is unknown
  for (const auto& [key, value] : mapping.entries()) {
    const bool is_new = keys.insert(key.text()).second;
    if (!is_new && (key.text() == "apiVersion" || key.text() == "kind")) {
      if (!is_object(keys) || has_repeated) return {};
      keys = {key.text()};
      begins.push_back(key);
    } else if (!is_new) {
      has_repeated = true;
    }
  }
  return is_object(keys) ? begins : std::vector<Node>{};
}

/// `key`: the first key of an object; `first`: the first key of the mapping.
void report_missing_separator(const Corpus& corpus, Reporter& reporter, Node key, Node first) {
  const Layout layout(*corpus.sources, key);
  const std::uint32_t line = comments_above(layout, key).begin;
  const SourceFile& file = corpus.sources->file(key.document()->file);
  std::vector<Edit> edits;
  if (layout.editable() && key.document()->host == nullptr) {
    edits.push_back({layout.span(line, line), fmt::format("---{}", layout.line_break())});
  }
  reporter.report(key, "`---` is missing before line {}", file.position(key.span().begin).line)
      .related(first, "the first object begins here")
      .help("kubectl and Helm read one object here and keep the last value of each key")
      .fix(Safety::unsafe, "insert `---`", std::move(edits));
}

/// Findings in one document: who has so many keys twice has another problem, and each takes a
/// hundred times the memory of its key.
constexpr std::size_t most_findings = 10'000;

/// Whether two keys are alike, which they are in few mappings. `keys`: room for their texts, so
/// that not every mapping takes memory.
[[nodiscard]] bool may_repeat(Node mapping, std::vector<std::string_view>& keys) {
  keys.clear();
  const std::vector<NodeData>& nodes = mapping.document()->nodes;
  for (NodeIndex at = nodes[mapping.index()].first_child; at != no_node;) {
    keys.push_back(nodes[at].text);
    const NodeIndex value = nodes[at].next;
    at = value == no_node ? no_node : nodes[value].next;
  }
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) != keys.end();
}

void report_repeated(const Corpus& corpus, Reporter& reporter, Node earlier, Node later,
                     std::string_view consequence) {
  const Node key = later.key();
  Finding finding = reporter.report(key, "the key `{}` stands twice in this mapping", key.text());
  finding.help("{}; keep one", consequence);
  if (say_the_same(earlier, later)) {
    finding.related(earlier.key(), "first given here, with the same value")
        .fix(Safety::safe, "remove the second, which says the same",
             remove_later(*corpus.sources, later));
    return;
  }
  Merge merged = merge_duplicates(*corpus.sources, earlier, later);
  finding.related(earlier.key(), "first given here; this value is lost")
      .fix(Safety::unsafe, std::string(merged.title), std::move(merged.edits));
}

void check_mapping(const Corpus& corpus, Reporter& reporter, Node mapping, const Document& document,
                   std::size_t& found) {
  std::unordered_map<std::string_view, Node> first;
  std::string consequence;  // the same for all of a document
  const std::vector<Node> objects = objects_run_together(mapping);
  auto object = objects.begin();
  for (const auto& [key, value] : mapping.entries()) {
    if (object != objects.end() && key == *object) {
      report_missing_separator(corpus, reporter, key, mapping.children().front());
      first.clear();
      ++object;
    }
    if (!key.is_scalar() || key.is_opaque() || key.text() == "<<") continue;
    const auto [at, is_new] = first.try_emplace(key.text(), value);
    if (is_new || found > most_findings) continue;
    if (++found > most_findings) {
      reporter.report(key, "the key `{}` stands twice, and so do keys below it", key.text())
          .help("only the first {} of a document are listed", most_findings);
      continue;
    }
    if (consequence.empty()) consequence = consequence_of_repeated_keys(corpus, document);
    report_repeated(corpus, reporter, at->second, value, consequence);
    if (!say_the_same(at->second, value)) at->second = value;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::vector<std::string_view> keys;
  for (const Document* document : corpus.written) {
    if (!document->errors.empty()) continue;
    std::size_t found = 0;
    walk(root(*document), [&](Node node) {
      if (node.is_mapping() && may_repeat(node, keys)) {
        check_mapping(corpus, reporter, node, *document, found);
      }
    });
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "reading", .fix = FixAvailability::safe},
                                 .check = check,
                                 .reach = Reach::file};

}  // namespace gpulint::rules::duplicate_key

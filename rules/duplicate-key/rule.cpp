#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/edit/layout.h"
#include "compiler/ir/node.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::duplicate_key {
namespace {

/// A fix that merges two values of one key.
struct Merge {
  std::string_view title;
  std::vector<Edit> edits;  ///< Empty if the fix would guess or lose a comment.
};

constexpr std::size_t most = 1000;  // entries of a mapping to be compared one by one

/// What identifies an item of a list: its `name`, as in merges of the API server, or its text.
[[nodiscard]] std::string identity_of(Node item) {
  const Node name = item.get("name");
  return name.is_scalar() && !name.is_opaque() ? "name: " + std::string(name.text())
                                               : flow_text(item);
}

/// The values of a mapping, or the items of a list.
[[nodiscard]] std::vector<Node> members(Node collection) {
  if (!collection.is_mapping()) return collection.items();
  std::vector<Node> values;
  for (const Node::Entry& entry : collection.entries()) values.push_back(entry.value);
  return values;
}

/// The child of `kept` with the same key or identity; null if there is none.
[[nodiscard]] Node counterpart(Node child, Node kept) {
  if (kept.is_mapping()) return kept.get(child.key().text());
  const std::vector<Node> items = kept.items();
  const auto found = std::ranges::find(items, identity_of(child), identity_of);
  return found == items.end() ? Node{} : *found;
}

/// Whether `lost` can be removed without a loss: `kept` has all its keys.
[[nodiscard]] bool is_covered(Node lost, Node kept) {
  if (lost.kind() != kept.kind() || lost.size() > most || kept.size() > most) return false;
  if (lost.is_scalar()) return true;
  return std::ranges::all_of(members(lost), [&](Node child) {
    const Node other = counterpart(child, kept);
    return other && is_covered(child, other);
  });
}

[[nodiscard]] bool holds_reference(Node value) {
  return any_below(value, [](Node inner) { return inner.is_alias() || !inner.anchor().empty(); });
}

/// The lines of comments directly above a key, at its column. Empty if there are none, and at the
/// top of a file, where comments are about the whole file.
[[nodiscard]] Span comments_above(const Layout& layout, Node key) {
  const std::uint32_t line = layout.line_begin(key.begin_with_properties());
  const std::string_view indent = layout.before_on_line(key.begin_with_properties());
  std::uint32_t begin = line;
  while (begin > 0) {
    const std::uint32_t above = layout.line_begin(begin - 1);
    const Span text = layout.span(above, begin);
    const std::string_view written = layout.text(text);
    if (!written.starts_with(indent) || written.substr(indent.size(), 1) != "#") break;
    if (!layout.has_comment(text)) break;
    begin = above;
  }
  return layout.span(layout.line_begin(begin) == 0 ? line : begin, line);
}

/// Moves lines of a block collection to the top of another one. Comments above the lost key move
/// above the kept key, whose own comments move below it.
class LineMerge {
 public:
  LineMerge(const SourceSet& sources, Node lost, Node kept)
      : layout_(sources, lost), lost_(lost), kept_(kept), children_(members(lost)) {}

  [[nodiscard]] std::vector<Edit> edits() const {
    if (!is_possible()) return {};
    const auto first = begin_of(members(kept_).front(), kept_);
    const auto column = begin_of(children_.front(), lost_);
    if (!first || !column) return {};
    const std::size_t from = layout_.before_on_line(*column).size();
    const std::size_t to = layout_.before_on_line(*first).size();
    const std::uint32_t key = lost_.key().begin_with_properties();
    std::string moved = layout_.kept_comments(layout_.span(key, layout_.line_end(key)), *first);
    std::uint32_t at = layout_.next_line(lost_.key().span().end);
    for (std::size_t i = 0; i < children_.size(); ++i) {
      const std::optional<std::uint32_t> end = end_of(i);
      if (!end || *end < at) return {};
      const Span lines = layout_.span(at, *end);
      at = *end;
      if (const Node other = counterpart(children_[i], kept_)) {
        if (!is_covered(children_[i], other) || layout_.has_comment(lines)) return {};
        continue;
      }
      moved += indent_anew(layout_.text(lines), from, to);
    }
    if (!moved.empty() && !moved.ends_with('\n')) moved += layout_.line_break();
    const std::uint32_t top = layout_.next_line(kept_.key().span().end);
    const Span own = comments_above(layout_, lost_.key());
    const Span others = comments_above(layout_, kept_.key());
    if (top > own.begin && top < at) return {};
    const std::size_t keys = layout_.before_on_line(key).size();
    moved += indent_anew(layout_.text(others), keys, to);
    std::vector<Edit> edits{{layout_.span(own.begin, at), ""},
                            {others, std::string(layout_.text(own))},
                            {layout_.span(top, top), moved}};
    std::erase_if(edits, [](const Edit& edit) { return edit.span.empty() && edit.text.empty(); });
    std::ranges::sort(edits);
    return edits;
  }

 private:
  [[nodiscard]] bool is_possible() const {
    const auto is_block = [&](Node value) {
      const std::uint32_t key = value.key().begin_with_properties();
      const std::uint32_t end = layout_.line_end(key);
      return value.style() == Style::block && value.size() > 0 && value.size() <= most &&
             trim(layout_.before_on_line(key)).empty() &&
             trim(layout_.without_comments(layout_.span(value.key().span().end, end))) == ":";
    };
    return layout_.editable() && !layout_.is_json() && lost_.kind() == kept_.kind() &&
           lost_.document() == kept_.document() && lost_.key() && kept_.key() && is_block(lost_) &&
           is_block(kept_) && !holds_reference(lost_);
  }

  /// Where a child begins: its key, or the dash before it, as the first text of its line.
  [[nodiscard]] std::optional<std::uint32_t> begin_of(Node child, Node collection) const {
    const auto begin = collection.is_mapping() ? std::optional(child.key().begin_with_properties())
                                               : layout_.dash_before(child);
    if (!begin || !trim(layout_.before_on_line(*begin)).empty()) return std::nullopt;
    return begin;
  }

  /// The line after a child. Comment lines after it belong to the next child; after the last child
  /// they stay.
  [[nodiscard]] std::optional<std::uint32_t> end_of(std::size_t index) const {
    if (!begin_of(children_[index], lost_)) return std::nullopt;
    const Node child = children_[index];
    const std::uint32_t end = std::max(child.span().end, child.key() ? child.key().span().end : 0);
    return layout_.next_line(end == 0 ? 0 : end - 1);
  }

  Layout layout_;
  Node lost_;
  Node kept_;
  std::vector<Node> children_;
};

/// The same in flow style, which has no lines to move: mappings with scalars of one line.
[[nodiscard]] std::vector<Edit> merge_flow_mappings(const SourceSet& sources, Node lost,
                                                    Node kept) {
  std::vector<Edit> edits;
  if (lost.size() > most || kept.size() > most || kept.size() == 0) return {};
  for (const auto& [key, value] : lost.fields()) {
    if (const Node other = kept.get(key.text())) {
      if (!is_covered(value, other)) return {};
      continue;
    }
    const std::vector<Edit> added =
        insert_entry(sources, kept, key.text(), entry_value(sources, value, kept.style()));
    if (added.size() != 1) return {};
    if (edits.empty()) edits.push_back({added.front().span, ""});
    edits.front().text += added.front().text;  // all at the mapping's end
  }
  return edits;
}

/// Whether two values of one key are equal as written. False if they have anchors or aliases.
[[nodiscard]] bool say_the_same(Node one, Node other) {
  if (holds_reference(one) || holds_reference(other)) return false;
  return one.kind() == other.kind() && flow_text(one) == flow_text(other);
}

/// Removes the later one of two equal values. Empty if a comment would move to another key.
[[nodiscard]] std::vector<Edit> remove_later(const SourceSet& sources, Node later) {
  const Layout layout(sources, later);
  if (!comments_above(layout, later.key()).empty()) return {};
  const Span entry = later.entry_span();
  if (layout.has_comment(layout.span(entry.begin, layout.line_end(entry.end)))) return {};
  return remove_entry(sources, later);
}

/// Keeps `kept`, the later value, which takes effect, and adds what only `lost` has: whole lines
/// with comments and quotes, at the front because they came first. Keys and list items that both
/// have stay as in `kept`.
[[nodiscard]] Merge merge_duplicates(const SourceSet& sources, Node lost, Node kept) {
  std::vector<Edit> removal = remove_entry(sources, lost);
  if (is_covered(lost, kept)) return {"remove the first value", std::move(removal)};
  constexpr std::string_view title = "merge both values";
  if (lost.style() == Style::block) return {title, LineMerge(sources, lost, kept).edits()};
  if (!lost.is_mapping() || !kept.is_mapping() || removal.empty()) return {};
  std::vector<Edit> edits = merge_flow_mappings(sources, lost, kept);
  if (edits.empty()) return {};
  std::ranges::move(removal, std::back_inserter(edits));
  return {title, std::move(edits)};
}

/// Whether the keys are those of an object: `apiVersion`, `kind` and others.
[[nodiscard]] bool is_object(const std::set<std::string_view>& keys) {
  return keys.contains("apiVersion") && keys.contains("kind") && keys.size() > 2;
}

[[nodiscard]] bool is_kustomization(Node mapping) {
  return mapping.get("apiVersion").text().starts_with("kustomize.config.k8s.io/");
}

/// Whether a mapping repeats two keys that every object has, with different values. It is unknown
/// where the second object begins, so no fix may remove its keys.
[[nodiscard]] bool may_be_objects(Node mapping) {
  constexpr std::array<std::string_view, 4> fields{"apiVersion", "kind", "metadata", "spec"};
  if (is_kustomization(mapping) || !mapping.get("apiVersion") || !mapping.get("kind")) return false;
  std::map<std::string_view, Node> first;
  std::set<std::string_view> repeated;
  bool differ = false;
  for (const auto& [key, value] : mapping.entries()) {
    if (std::ranges::find(fields, key.text()) == fields.end()) continue;
    const auto [at, is_new] = first.try_emplace(key.text(), value);
    if (is_new) continue;
    repeated.insert(key.text());
    differ = differ || !say_the_same(at->second, value);
  }
  return differ && repeated.size() > 1;
}

/// The first keys of the second and later Kubernetes objects in a mapping where `---` is missing
/// between them: `apiVersion` and `kind` are both repeated at the start of a line, and each object
/// has more than these two keys.
[[nodiscard]] std::vector<Node> objects_run_together(Node mapping) {
  if (mapping.parent() || mapping.style() != Style::block) return {};
  if (is_kustomization(mapping)) return {};  // a file has only one
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
      .help(
          "insert `---` between the objects. Otherwise kubectl and Helm read one object and keep "
          "only the last value of each key")
      .fix(Safety::unsafe, "insert `---`", std::move(edits));
}

/// The most findings in one document; each takes a hundred times the memory of its key.
constexpr std::size_t most_findings = 10'000;

/// Whether two keys are equal, which is rare. `keys` is a buffer that mappings reuse.
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

/// `are_objects`: see may_be_objects().
void report_repeated(const Corpus& corpus, Reporter& reporter, Node earlier, Node later,
                     std::string_view consequence, bool are_objects) {
  const Node key = later.key();
  Finding finding = reporter.report(key, "duplicate key `{}`", key.text());
  if (are_objects) {
    finding.related(earlier.key(), "the key is first set here")
        .help("begin the second object with `---`, or with `- ` in a list. Otherwise {}",
              consequence);
    return;
  }
  finding.help("set the key only once. Otherwise {}", consequence);
  if (say_the_same(earlier, later)) {
    finding.related(earlier.key(), "the key is first set here, with the same value")
        .fix(Safety::safe, "remove the second value, which is equal",
             remove_later(*corpus.sources, later));
    return;
  }
  Merge merged = merge_duplicates(*corpus.sources, earlier, later);
  const bool is_rejected = consequence.find("last value") == std::string_view::npos;
  finding
      .related(earlier.key(), is_rejected ? "the key is first set here"
                                          : "the key is first set here, but this value is ignored")
      .fix(Safety::unsafe, std::string(merged.title), std::move(merged.edits));
}

void check_mapping(const Corpus& corpus, Reporter& reporter, Node mapping, const Document& document,
                   std::size_t& found) {
  std::unordered_map<std::string_view, Node> first;
  std::string consequence;  // the same for all of a document
  const std::vector<Node> objects = objects_run_together(mapping);
  auto object = objects.begin();
  const bool are_objects = objects.empty() && may_be_objects(mapping);
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
      reporter.report(key, "duplicate key `{}`, and more duplicate keys follow", key.text())
          .help("correct the first {} duplicate keys, and run gpulint again to see the others",
                most_findings);
      continue;
    }
    if (consequence.empty()) consequence = consequence_of_repeated_keys(corpus, document);
    report_repeated(corpus, reporter, at->second, value, consequence, are_objects);
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
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::duplicate_key

#include "compiler/check/carry_fixes.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "compiler/edit/edits.h"
#include "compiler/edit/fixer.h"
#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// Compares a document with itself after a fix.
class Comparison {
 public:
  /// False if the fix adds something.
  [[nodiscard]] bool compare(Node before, Node now) {
    if (before.kind() != now.kind()) return false;
    if (before.is_mapping()) return compare_entries(before, now);
    if (before.is_sequence()) return compare_items(before, now);
    const bool was_plain = before.style() == Style::plain;
    const bool is_plain = now.style() == Style::plain;
    if (before.is_scalar() && (before.text() != now.text() || was_plain != is_plain)) {
      const RenderedChange::Kind kind = was_plain == is_plain ? RenderedChange::Kind::text
                                        : is_plain            ? RenderedChange::Kind::plain
                                                              : RenderedChange::Kind::quoted;
      changes.push_back({before.span(), kind, std::string(now.text()), {}});
    }
    return true;
  }

  std::vector<RenderedChange> changes;

 private:
  void remove(Node node) {
    changes.push_back(
        {node.span(), RenderedChange::Kind::removed, {}, std::string(node.key().text())});
  }

  [[nodiscard]] bool compare_entries(Node before, Node now) {
    std::size_t kept = 0;
    for (const auto& [key, value] : before.entries()) {
      const std::vector<Node::Entry> entries = now.entries();
      const auto same = std::ranges::find_if(
          entries, [&, name = key](const auto& entry) { return entry.key.text() == name.text(); });
      if (same == entries.end()) {
        remove(value);
        continue;
      }
      ++kept;
      if (!compare(value, same->value)) return false;
    }
    return kept == now.size();
  }

  /// Of a shorter list, the first item that differs is the one that is removed.
  [[nodiscard]] bool compare_items(Node before, Node now) {
    const std::vector<Node> ours = before.children();
    const std::vector<Node> theirs = now.children();
    if (theirs.size() > ours.size() || theirs.size() + 1 < ours.size()) return false;
    std::size_t at = 0;
    for (const Node item : ours) {
      const bool is_shorter = theirs.size() < ours.size();
      const bool is_out =
          is_shorter && at < ours.size() && (at == theirs.size() || differs(item, theirs[at]));
      if (is_out && !is_removed_) {
        is_removed_ = true;
        remove(item);
        continue;
      }
      if (at == theirs.size() || !compare(item, theirs[at])) return false;
      ++at;
    }
    is_removed_ = false;
    return at == theirs.size();
  }

  [[nodiscard]] static bool differs(Node one, Node other) {
    return block_text(one) != block_text(other);
  }

  bool is_removed_ = false;
};

/// The node with exactly this span.
[[nodiscard]] Node node_at(const std::vector<std::unique_ptr<Document>>& documents, Span span) {
  Node found;
  for (const auto& document : documents) {
    walk(root(*document), [&](Node node) {
      if (!found && node.span() == span && !node.value()) found = node;
    });
  }
  return found;
}

}  // namespace

std::optional<std::vector<RenderedChange>> changes_of(const SourceSet& sources, const Fix& fix) {
  if (fix.edits.empty()) return std::nullopt;
  const FileId id = fix.edits.front().span.file;
  const auto is_elsewhere = [&](const Edit& edit) { return edit.span.file != id; };
  if (std::ranges::any_of(fix.edits, is_elsewhere)) return std::nullopt;
  const SourceFile& file = sources.file(id);
  const SourceFile after(id, file.path(), apply_edits(file.text(), fix.edits));
  const auto before_documents = parse_file(file);
  const auto after_documents = parse_file(after);
  if (before_documents.size() != after_documents.size()) return std::nullopt;
  Comparison comparison;
  for (std::size_t i = 0; i < before_documents.size(); ++i) {
    if (!comparison.compare(root(*before_documents[i]), root(*after_documents[i]))) {
      return std::nullopt;
    }
  }
  if (comparison.changes.empty()) return std::nullopt;
  return std::move(comparison.changes);
}

std::vector<Edit> carry_over(const SourceSet& sources, const RenderedChange& change, Span place) {
  const auto documents = parse_file(sources.file(place));
  const Node node = node_at(documents, place);
  if (!node || holds_anchor(node)) return {};
  using Kind = RenderedChange::Kind;
  if (change.kind == Kind::removed) {
    const bool is_same = node.key().text() == change.key;
    return is_same ? remove_entry(sources, node) : std::vector<Edit>{};
  }
  if (!node.is_scalar()) return {};
  const bool is_plain = node.style() == Style::plain;
  if (change.kind == Kind::plain || (change.kind == Kind::text && is_plain)) {
    return replace_raw(sources, node, change.text);
  }
  if (is_plain) return replace_raw(sources, node, double_quoted(change.text));
  return replace_string(sources, node, change.text);
}

}  // namespace gpulint

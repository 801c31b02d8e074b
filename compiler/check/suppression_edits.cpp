#include "compiler/check/suppression_edits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"

namespace gpulint {
namespace {

constexpr std::string_view directive = "gpulint: ignore[";

/// The findings of one line that one document's comments can silence.
struct Line {
  const Document* document = nullptr;
  std::set<std::string_view> rules;
};

/// The innermost document that holds the place and can hold comments.
[[nodiscard]] const Document* document_at(std::span<const Document* const> documents, Span where) {
  const Document* best = nullptr;
  for (const Document* document : documents) {
    if (where.begin < document->span.begin || where.begin > document->span.end) continue;
    if (best == nullptr || document->host != nullptr) best = document;
  }
  if (best == nullptr || best->is_json || !best->errors.empty()) return nullptr;
  return best;
}

[[nodiscard]] bool is_block_scalar(const NodeData& node) {
  return node.style == Style::literal || node.style == Style::folded;
}

/// The scalar of the document that goes on past a line's end; nothing where none does.
[[nodiscard]] std::optional<NodeData> scalar_across(const Document& document, std::uint32_t end) {
  const auto after = std::ranges::partition_point(
      document.nodes, [&](const NodeData& node) { return node.begin < end; });
  // Scalars do not nest: only the last one that begins before can reach across.
  for (auto at = after; at != document.nodes.begin();) {
    --at;
    if (at->kind != NodeKind::scalar) continue;
    // The last line of a block scalar ends with it and is inside all the same.
    const bool reaches = is_block_scalar(*at) ? at->end >= end : at->end > end;
    return reaches ? std::optional(*at) : std::nullopt;
  }
  return std::nullopt;
}

class Planner {
 public:
  Planner(const SourceFile& file, std::string_view reason) : file_(file), reason_(reason) {}

  [[nodiscard]] std::optional<Edit> edit(std::uint32_t line, const Line& found) const {
    const std::string rules = fmt::format("{}", fmt::join(found.rules, ", "));
    if (const auto comment = comment_on(*found.document, line)) return extend(*comment, rules);
    const std::uint32_t end = line_end(line);
    const auto across = scalar_across(*found.document, end);
    if (!across) return insertion(end, fmt::format("  {}", text(rules)));
    const std::uint32_t first = file_.position(across->begin).line;
    // The line that opens a block scalar may end in a comment; no line inside of a scalar may.
    if (is_block_scalar(*across) && first == line) {
      return insertion(end, fmt::format("  {}", text(rules)));
    }
    if (is_block_scalar(*across) || first < line) return std::nullopt;
    return above(first, rules);
  }

 private:
  [[nodiscard]] std::string text(const std::string& rules) const {
    return fmt::format("# {}{}] {}", directive, rules, reason_);
  }

  [[nodiscard]] Edit insertion(std::uint32_t at, std::string inserted) const {
    return {{file_.id(), at, at}, std::move(inserted)};
  }

  [[nodiscard]] std::uint32_t line_end(std::uint32_t line) const {
    return file_.line_start(line) + static_cast<std::uint32_t>(file_.line_text(line).size());
  }

  [[nodiscard]] std::optional<Span> comment_on(const Document& document, std::uint32_t line) const {
    const std::uint32_t begin = file_.line_start(line);
    const auto found = std::ranges::find_if(document.comments, [&](Span comment) {
      return comment.begin >= begin && comment.begin <= line_end(line);
    });
    if (found == document.comments.end()) return std::nullopt;
    return *found;
  }

  /// Adds the rules to the suppression in a comment, or a suppression to the comment.
  [[nodiscard]] Edit extend(Span comment, const std::string& rules) const {
    const std::string_view old = file_.text(comment);
    const std::size_t mark = old.find(directive);
    const std::size_t close = mark == std::string_view::npos ? mark : old.find(']', mark);
    if (close != std::string_view::npos) {
      return insertion(comment.begin + static_cast<std::uint32_t>(close), ", " + rules);
    }
    const auto length = static_cast<std::uint32_t>(trim(old).size());
    return insertion(comment.begin + length, fmt::format("  {}", text(rules)));
  }

  [[nodiscard]] Edit above(std::uint32_t line, const std::string& rules) const {
    const std::string_view old = file_.line_text(line);
    const std::string_view indent = old.substr(0, std::min(old.find_first_not_of(' '), old.size()));
    const bool has_carriage_return = file_.text().find("\r\n") != std::string_view::npos;
    return insertion(file_.line_start(line), fmt::format("{}{}{}", indent, text(rules),
                                                         has_carriage_return ? "\r\n" : "\n"));
  }

  const SourceFile& file_;
  std::string_view reason_;
};

}  // namespace

std::vector<Edit> suppression_edits(const SourceFile& file,
                                    std::span<const Document* const> documents,
                                    std::span<const Diagnostic> findings, std::string_view reason) {
  if (file.path().ends_with(".json")) return {};
  std::map<std::uint32_t, Line> lines;
  for (const Diagnostic& finding : findings) {
    if (finding.span.file != file.id() || finding.rule->id == "unused-suppression") continue;
    const Document* document = document_at(documents, finding.span);
    if (document == nullptr) continue;
    Line& line = lines[file.position(finding.span.begin).line];
    line.document = document;
    line.rules.insert(finding.rule->id);
  }
  const Planner planner(file, reason);
  std::vector<Edit> edits;
  for (const auto& [number, line] : lines) {
    if (auto edit = planner.edit(number, line)) edits.push_back(std::move(*edit));
  }
  std::ranges::sort(edits);
  return edits;
}

}  // namespace gpulint

#include "compiler/check/suppression.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/selection.h"
#include "compiler/ir/node.h"
#include "compiler/ir/python.h"

namespace gpulint {
namespace {

constexpr std::string_view directive = "gpulint: ignore[";

/// The findings of one line that comments of one document can suppress.
struct Line {
  const Document* document = nullptr;
  std::set<std::string_view> rules;
};

/// The innermost document that contains the place and can contain comments.
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

/// The scalar of the document that continues after a line's end; nullopt if there is none.
[[nodiscard]] std::optional<NodeData> scalar_across(const Document& document, std::uint32_t end) {
  const auto after = std::ranges::partition_point(
      document.nodes, [&](const NodeData& node) { return node.begin < end; });
  // scalars do not nest: only the last one that begins before can reach across
  for (auto at = after; at != document.nodes.begin();) {
    --at;
    if (at->kind != NodeKind::scalar) continue;
    // the last line of a block scalar ends with it and is still inside
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
    // the line that opens a block scalar may end in a comment; no line inside a scalar may
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

constexpr std::string_view annotation_key = "gpulint.dev/ignore";

[[nodiscard]] std::vector<std::string> split_rules(std::string_view list) {
  std::vector<std::string> rules;
  while (!list.empty()) {
    const std::string_view rule = trim(take_part(list, ','));
    if (!rule.empty()) rules.emplace_back(rule);
  }
  return rules;
}

struct Directive {
  bool whole_file = false;
  std::vector<std::string> rules;
};

/// Reads `gpulint: ignore[…]` out of a comment's text (`#` included).
[[nodiscard]] std::optional<Directive> parse_directive(std::string_view comment) {
  const std::size_t mark = comment.find("gpulint:");
  if (mark == std::string_view::npos) return std::nullopt;
  std::string_view rest = trim(comment.substr(mark + 8));
  Directive directive;
  if (rest.starts_with("ignore-file[")) {
    directive.whole_file = true;
    rest.remove_prefix(12);
  } else if (rest.starts_with("ignore[")) {
    rest.remove_prefix(7);
  } else {
    return std::nullopt;
  }
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  directive.rules = split_rules(rest.substr(0, close));
  return directive;
}

[[nodiscard]] Span line_span(const SourceFile& file, std::uint32_t line) {
  const std::uint32_t end = file.whole().end;
  if (line > file.line_count()) return {file.id(), end, end};
  return {file.id(), file.line_start(line),
          line < file.line_count() ? file.line_start(line + 1) - 1 : end};
}

/// The block of a key (or list item) that starts on the line, if any. Nodes are in text order.
[[nodiscard]] std::optional<Span> block_starting_in(const Document& document, Span line) {
  const auto first = std::ranges::partition_point(
      document.nodes, [&](const NodeData& node) { return node.begin < line.begin; });
  std::optional<Span> block;
  for (auto at = first; at != document.nodes.end() && at->begin <= line.end; ++at) {
    const Node node(document, static_cast<NodeIndex>(at - document.nodes.begin()));
    if (node.parent() && node.parent().span().begin >= line.begin) continue;
    const Node owner = node.parent();
    Span whole = node.span();
    if (owner.is_mapping() && !node.key()) {
      whole = join(whole, Node(document, at->next).span());
    }
    if (!block || whole.end > block->end) block = whole;
  }
  return block;
}

/// What comes after a run of comment lines: thousands of them are searched once.
struct CommentRun {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  ///< The first line that is not a comment.
  Span covers;

  [[nodiscard]] bool contains(std::uint32_t line) const { return begin <= line && line <= end; }
};

[[nodiscard]] CommentRun run_from(const SourceFile& file, const Document& document,
                                  std::uint32_t line) {
  CommentRun run{line, line, {}};
  while (run.end <= file.line_count() && trim(file.line_text(run.end)).starts_with('#')) ++run.end;
  const Span target = line_span(file, run.end);
  run.covers = block_starting_in(document, target).value_or(target);
  return run;
}

/// The function of a Python source whose decorators contain the comment, or whose `def` precedes
/// it. The outline has, for a function, a list that begins with its header.
[[nodiscard]] std::optional<Span> statement_around(const SourceFile& file, const Document& document,
                                                   Span comment) {
  if (!python::is_source(file.path())) return std::nullopt;
  const std::uint32_t line = file.position(comment.begin).line;
  for (NodeIndex at = 0; at < document.nodes.size(); ++at) {
    const Node node(document, at);
    const Node function = node.parent();
    const bool is_header = function.parent() && document.nodes[function.index()].first_child == at;
    if (!is_header || node.span().begin > comment.begin) continue;
    if (file.position(node.span().end).line >= line) return function.span();
  }
  return std::nullopt;
}

[[nodiscard]] Span covered_by(const SourceFile& file, const Document& document, Span comment,
                              CommentRun& run) {
  const std::uint32_t line = file.position(comment.begin).line;
  const std::string_view before =
      trim(file.text().substr(file.line_start(line), comment.begin - file.line_start(line)));
  const bool alone = before.empty() || before == "\xEF\xBB\xBF";
  if (!alone) return statement_around(file, document, comment).value_or(line_span(file, line));
  if (!run.contains(line + 1)) run = run_from(file, document, line + 1);
  return run.covers;
}

void read_comments(const SourceFile& file, const Document& document,
                   std::vector<Suppression>& suppressions) {
  CommentRun run;
  for (const Span comment : document.comments) {
    auto directive = parse_directive(file.text(comment));
    if (!directive) continue;
    const Span covers =
        directive->whole_file ? file.whole() : covered_by(file, document, comment, run);
    suppressions.push_back({comment, covers, std::move(directive->rules), false});
  }
}

void read_annotations(const Document& document, std::vector<Suppression>& suppressions) {
  walk(root(document), [&](Node node) {
    const Node key = node.key();
    if (!key || key.text() != annotation_key || !node.is_scalar()) return;
    const Node metadata = node.parent().parent();
    const Node object = metadata.parent();
    if (!object) return;
    suppressions.push_back({node.span(), object.span(), split_rules(node.text()), false});
  });
}

/// Suppressions by what they cover, queried for findings in the order of files and places. Blocks
/// are nested or disjoint, so few cover one place, however many suppressions there are.
class Silencer {
 public:
  explicit Silencer(std::vector<Suppression>& suppressions) {
    std::map<std::tuple<FileId, std::uint32_t, std::uint32_t>, Cover> covers;
    for (Suppression& suppression : suppressions) {
      const Span span = suppression.covers;
      Cover& cover = covers[{span.file, span.begin, span.end}];
      cover.span = span;
      for (const std::string& name : suppression.rules) {
        cover.by_name[name].push_back(&suppression);
      }
    }
    for (auto& [key, cover] : covers) covers_.push_back(std::move(cover));
  }

  [[nodiscard]] bool silences(const Diagnostic& finding) {
    const Span place = finding.span;
    const auto is_before = [&](const Cover& cover) {
      return std::pair(cover.span.file, cover.span.begin) <= std::pair(place.file, place.begin);
    };
    for (; next_ < covers_.size() && is_before(covers_[next_]); ++next_) {
      open_.push_back(&covers_[next_]);
    }
    std::erase_if(open_, [&](const Cover* cover) {
      return cover->span.file != place.file || cover->span.end < place.begin;
    });
    bool silenced = false;
    for (Cover* cover : open_) {
      for (const std::string_view name : names_of(*finding.rule)) {
        silenced = cover->use(name) || silenced;
      }
    }
    return silenced;
  }

 private:
  struct Cover {
    Span span;
    std::unordered_map<std::string_view, std::vector<Suppression*>> by_name;

    /// Whether a suppression here names the rule; marks all of them as used.
    [[nodiscard]] bool use(std::string_view name) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) return false;
      for (Suppression* suppression : found->second) suppression->used = true;
      found->second.clear();
      return true;
    }
  };

  std::vector<Cover> covers_;  // by file and begin
  std::vector<Cover*> open_;   // those that have begun and not ended
  std::size_t next_ = 0;
};

/// The comment with the blanks before it; its whole line if the comment is alone there.
[[nodiscard]] Edit removal_of(Span comment, const SourceFile& file) {
  const std::uint32_t line = file.position(comment.begin).line;
  Span gone = comment;
  const std::string_view text = file.text();
  std::uint32_t line_begin = file.line_start(line);
  while (text.substr(line_begin).starts_with("\xEF\xBB\xBF")) line_begin += 3;
  while (gone.begin > line_begin && (text[gone.begin - 1] == ' ' || text[gone.begin - 1] == '\t')) {
    --gone.begin;
  }
  if (gone.begin == line_begin) {
    gone.end = line < file.line_count() ? file.line_start(line + 1) : file.whole().end;
  }
  return {gone, ""};
}

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

std::vector<Suppression> read_suppressions(const SourceFile& file,
                                           const std::vector<const Document*>& documents) {
  std::vector<Suppression> suppressions;
  if (file.text().find("gpulint") == std::string_view::npos) return suppressions;
  for (const Document* document : documents) {
    if (document->file != file.id()) continue;
    read_comments(file, *document, suppressions);
    read_annotations(*document, suppressions);
  }
  return suppressions;
}

std::vector<Diagnostic> apply_suppressions(std::vector<Suppression>& suppressions,
                                           std::vector<Diagnostic>& findings) {
  if (suppressions.empty()) return {};
  Silencer silencer(suppressions);
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(findings[i].span.file, findings[i].span.begin);
  });
  std::vector<bool> silenced(findings.size());
  for (const std::size_t i : order) silenced[i] = silencer.silences(findings[i]);
  std::vector<Diagnostic> removed;
  std::vector<Diagnostic> kept;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    (silenced[i] ? removed : kept).push_back(std::move(findings[i]));
  }
  findings = std::move(kept);
  return removed;
}

std::vector<Diagnostic> report_unused(const std::vector<Suppression>& suppressions,
                                      const SourceFile& file, const RuleInfo& rule,
                                      std::span<const std::string_view> known) {
  std::vector<Diagnostic> findings;
  for (const Suppression& suppression : suppressions) {
    if (suppression.used) continue;
    Diagnostic finding;
    finding.rule = &rule;
    finding.severity = rule.severity;
    finding.span = suppression.where;
    finding.message = fmt::format("the suppression of `{}` matches no finding",
                                  fmt::join(suppression.rules, ", "));
    finding.help = "remove the suppression, or correct the rule's name";
    for (const std::string& name : suppression.rules) {
      if (known.empty() || std::ranges::find(known, name) != known.end()) continue;
      const auto meant = nearest(name, known);
      finding.help = meant
                         ? fmt::format("did you mean `{}`? gpulint has no rule `{}`", *meant, name)
                         : fmt::format("remove `{}`, because gpulint has no such rule", name);
    }
    if (file.text(suppression.where).starts_with('#')) {
      finding.fix = Fix{Safety::safe, "remove the comment", {removal_of(suppression.where, file)}};
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace gpulint

#include "compiler/engine/reporter.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "compiler/ir/key_path.h"

namespace gpulint {
namespace {

/// Sorts edits and merges deletions that overlap (neighbours both include the comma between them).
/// Empty if edits contradict each other.
[[nodiscard]] std::vector<Edit> make_disjoint(std::vector<Edit> edits) {
  std::ranges::sort(edits);
  std::vector<Edit> result;
  for (Edit& edit : edits) {
    const bool overlaps = !result.empty() && edit.span.file == result.back().span.file &&
                          edit.span.begin < result.back().span.end;
    if (!overlaps) {
      result.push_back(std::move(edit));
    } else if (edit.text.empty() && result.back().text.empty()) {
      result.back().span = join(result.back().span, edit.span);
    } else {
      return {};
    }
  }
  return result;
}

}  // namespace

Finding& Finding::related(Node where, std::string message) {
  return where ? related(where.span(), std::move(message)) : *this;
}

Finding& Finding::related(Span where, std::string message) {
  diagnostic_->related.push_back({where, std::move(message)});
  return *this;
}

Finding& Finding::fix(Safety safety, std::string title, std::vector<Edit> edits) {
  std::vector<Edit> disjoint = make_disjoint(std::move(edits));
  if (disjoint.empty()) return *this;
  diagnostic_->fix = Fix{safety, std::move(title), std::move(disjoint)};
  return *this;
}

Finding& Finding::severity(Severity severity) {
  diagnostic_->severity = severity;
  return *this;
}

Finding& Finding::at_most(Severity severity) {
  diagnostic_->severity = std::min(diagnostic_->severity, severity);
  return *this;
}

Finding& Finding::add_help(std::string_view text) {
  diagnostic_->add_help(text);
  return *this;
}

Finding& Finding::further(std::string_view first, std::string_view other) {
  std::string& message = diagnostic_->further.emplace_back(diagnostic_->message);
  const std::size_t at = message.find(first);
  if (at != std::string::npos) message.replace(at, first.size(), other);
  return *this;
}

Finding Reporter::add(Span where, Node context, std::string message) {
  Diagnostic& diagnostic = diagnostics_.emplace_back();
  diagnostic.rule = rule_;
  diagnostic.severity = rule_->severity;
  diagnostic.span = where;
  diagnostic.message = std::move(message);
  if (context) diagnostic.path = key_path(context);
  return Finding(diagnostic);
}

std::vector<Diagnostic> Reporter::take() {
  return {std::make_move_iterator(diagnostics_.begin()),
          std::make_move_iterator(diagnostics_.end())};
}

}  // namespace gpulint

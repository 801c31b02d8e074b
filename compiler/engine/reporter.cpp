#include "compiler/engine/reporter.h"

#include <algorithm>
#include <iterator>

#include "compiler/ir/key_path.h"

namespace gpulint {

Finding& Finding::related(Node where, std::string message) {
  return where ? related(where.span(), std::move(message)) : *this;
}

Finding& Finding::related(Span where, std::string message) {
  diagnostic_->related.push_back({where, std::move(message)});
  return *this;
}

Finding& Finding::fix(Safety safety, std::string title, std::vector<Edit> edits) {
  if (edits.empty()) return *this;
  std::ranges::sort(edits);
  diagnostic_->fix = Fix{safety, std::move(title), std::move(edits)};
  return *this;
}

Finding& Finding::severity(Severity severity) {
  diagnostic_->severity = severity;
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

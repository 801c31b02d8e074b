#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// A finding under construction; every step returns the finding itself.
class Finding {
 public:
  explicit Finding(Diagnostic& diagnostic) : diagnostic_(&diagnostic) {}

  /// Adds the other half of the contradiction. Adds nothing without a node (built-in facts).
  Finding& related(Node where, std::string message);
  Finding& related(Span where, std::string message);
  /// What to do, as a sentence fragment: lower case, no period.
  template <class... Args>
  Finding& help(fmt::format_string<Args...> text, Args&&... args) {
    diagnostic_->help = fmt::format(text, std::forward<Args>(args)...);
    return *this;
  }
  /// Adds a fix. Edits may be in any order, and deletions may overlap. Adds nothing if `edits` is
  /// empty (no safe edit exists) or if they contradict each other.
  Finding& fix(Safety safety, std::string title, std::vector<Edit> edits);
  Finding& severity(Severity severity);
  /// Lowers the severity to this one if it is higher.
  Finding& at_most(Severity severity);
  /// Appends to the help.
  Finding& add_help(std::string_view text);
  /// The finding is also about a further workload: its message with `other` in place of `first`.
  Finding& further(std::string_view first, std::string_view other);
  [[nodiscard]] bool has_help() const { return !diagnostic_->help.empty(); }

 private:
  Diagnostic* diagnostic_;
};

/// Collects the findings of one rule over one corpus.
class Reporter {
 public:
  explicit Reporter(const RuleInfo& rule) : rule_(&rule) {}

  /// Reports at a node's text. `message` states the fact: lower case, no final period.
  template <class... Args>
  Finding report(Node where, fmt::format_string<Args...> message, Args&&... args) {
    return add(where.span(), where, fmt::format(message, std::forward<Args>(args)...));
  }
  /// Reports at the key of a mapping's value, or at the node itself if it has no key.
  template <class... Args>
  Finding report_key(Node value, fmt::format_string<Args...> message, Args&&... args) {
    return add(value.key_span(), value, fmt::format(message, std::forward<Args>(args)...));
  }
  /// Reports at a span that is not a whole node; `context` gives the path and may be null.
  template <class... Args>
  Finding report_span(Span where, Node context, fmt::format_string<Args...> message,
                      Args&&... args) {
    return add(where, context, fmt::format(message, std::forward<Args>(args)...));
  }

  [[nodiscard]] std::vector<Diagnostic> take();

 private:
  Finding add(Span where, Node context, std::string message);

  const RuleInfo* rule_;
  std::deque<Diagnostic> diagnostics_;  // stable while a Finding refers to its diagnostic
};

}  // namespace gpulint

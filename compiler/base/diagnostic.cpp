#include "compiler/base/diagnostic.h"

#include <algorithm>
#include <tuple>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

auto sort_key(const Diagnostic& d) { return std::tie(d.span, d.rule->id, d.message); }

/// The order of output: file, place, rule, message. Files compare by their id, which follows path
/// order (load.h).
[[nodiscard]] bool precedes(const Diagnostic& a, const Diagnostic& b) {
  return sort_key(a) < sort_key(b);
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::optional<Severity> parse_severity(std::string_view text) {
  for (const Severity s : {Severity::info, Severity::warning, Severity::error}) {
    if (text == to_string(s)) return s;
  }
  return std::nullopt;
}

std::string_view to_string(DecidedBy by) {
  switch (by) {
    case DecidedBy::value:
      return "value";
    case DecidedBy::template_line:
      return "template";
    case DecidedBy::file:
      return "file";
  }
  return "";
}

std::string_view to_string(Safety safety) { return safety == Safety::safe ? "safe" : "unsafe"; }

std::string_view to_string(RuleState state) {
  switch (state) {
    case RuleState::stable:
      return "stable";
    case RuleState::preview:
      return "preview";
    case RuleState::deprecated:
      return "deprecated";
  }
  return "";
}

std::string_view to_string(FixAvailability availability) {
  switch (availability) {
    case FixAvailability::none:
      return "none";
    case FixAvailability::safe:
      return "safe";
    case FixAvailability::unsafe:
      return "unsafe";
  }
  return "";
}

void Diagnostic::add_help(std::string_view more) {
  if (help.empty()) {
    help = more;
    return;
  }
  help += help.ends_with('?') ? " " : ". ";
  help += to_upper(more.substr(0, 1));
  help += more.substr(1);
}

void sort_and_merge(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), precedes);
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return sort_key(a) == sort_key(b);
  };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), same), diagnostics.end());
}

}  // namespace gpulint

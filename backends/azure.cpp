#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/counted.h"

// Logging commands: learn.microsoft.com, "Logging commands" (task.logissue); what is escaped and
// how: microsoft/azure-pipelines-agent, src/Agent.Sdk/CommandStringConvertor.cs.

namespace gpulint {
namespace {

/// Azure Pipelines knows errors and warnings only.
[[nodiscard]] std::string_view issue_type(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

[[nodiscard]] std::string_view escaped(char c) {
  switch (c) {
    case '%':
      return "%AZP25";
    case ';':
      return "%3B";
    case ']':
      return "%5D";
    case '\r':
      return "%0D";
    case '\n':
      return "%0A";
    default:
      return {};
  }
}

[[nodiscard]] std::string property(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (const std::string_view other = escaped(c); !other.empty()) {
      result += other;
    } else {
      result += c;
    }
  }
  return result;
}

/// After the command only line breaks and the escape character have a meaning.
[[nodiscard]] std::string issue_text(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '%') {
      result += escaped(c);
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

void emit_azure(const Run& run, std::ostream& out) {
  for (const Diagnostic& diagnostic : run.diagnostics) {
    const SourceFile& file = run.sources.file(diagnostic.span);
    const Position at = file.position(diagnostic.span.begin);
    out << fmt::format(
        "##vso[task.logissue type={};sourcepath={};linenumber={};columnnumber={};code={}]{}\n",
        issue_type(diagnostic.severity), property(repository_path(run, file.path())), at.line,
        at.column, property(diagnostic.rule->id), issue_text(message_with_origin(run, diagnostic)));
  }
  for (const RunError& error : run.errors) {
    const std::string file = error.file.empty() ? "" : error.file + ": ";
    out << fmt::format("##vso[task.logissue type=error]gpulint failed: {}\n",
                       issue_text(file + error.message));
  }
  const Summary& all = run.summary;
  out << fmt::format("gpulint: {}, {}, {} in {}\n", count_text(all.errors, "error"),
                     count_text(all.warnings, "warning"), count_text(all.infos, "info"),
                     count_text(all.files, "file"));
}

}  // namespace gpulint

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/snippet.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/counted.h"

// Workflow commands: docs.github.com, "Workflow commands for GitHub Actions"; what is escaped and
// how: actions/toolkit, packages/core/src/command.ts.

namespace gpulint {
namespace {

constexpr std::size_t most_annotations = 10;  // of one level in one step
constexpr std::array levels = {Severity::error, Severity::warning, Severity::info};

[[nodiscard]] std::string_view command_of(Severity severity) {
  return severity == Severity::info ? "notice" : to_string(severity);
}

/// `special` characters as `%0A`; characters that are unsafe in a log are spelt out.
[[nodiscard]] std::string escape(std::string_view text, std::string_view special) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint c = decode_code_point(rest);
    if (special.find(rest[0]) != std::string_view::npos) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(rest[0]));
    } else {
      result += printable(rest, c);
    }
    rest.remove_prefix(c.size);
  }
  return result;
}

[[nodiscard]] std::string escape_data(std::string_view text) { return escape(text, "%\r\n"); }
[[nodiscard]] std::string escape_property(std::string_view text) { return escape(text, "%\r\n:,"); }

/// GitHub accepts columns only for a region of one line; the end column is the one after it.
[[nodiscard]] std::string region_properties(const SourceFile& file, Span span) {
  const Position begin = file.position(span.begin);
  const Position end = file.position(without_trailing_blanks(file, span).end);
  if (begin.line != end.line) return fmt::format("line={},endLine={}", begin.line, end.line);
  return fmt::format("line={0},endLine={0},col={1},endColumn={2}", begin.line, begin.column,
                     end.column);
}

void write_annotation(const Run& run, const Diagnostic& diagnostic, std::ostream& out) {
  const SourceFile& file = run.sources.file(diagnostic.span);
  std::string message = message_with_origin(run, diagnostic);
  for (const Label& label : diagnostic.related) {
    const SourceFile& other = run.sources.file(label.span);
    message += fmt::format("\n{}:{}: {}{}", repository_path(run, other.path()),
                           other.position(label.span.begin).line, label.message,
                           origin_note(run, label.span));
  }
  if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
  if (diagnostic.fix) message += "\nfix: " + diagnostic.fix->title;
  out << fmt::format(
      "::{} file={},{},title={}::{}\n", command_of(diagnostic.severity),
      escape_property(repository_path(run, file.path())), region_properties(file, diagnostic.span),
      escape_property(fmt::format("gpulint {}", diagnostic.rule->id)), escape_data(message));
}

}  // namespace

void emit_github(const Run& run, std::ostream& out) {
  std::vector<std::string> hidden;
  for (const Severity level : levels) {
    std::size_t count = 0;
    for (const Diagnostic& diagnostic : run.diagnostics) {
      if (diagnostic.severity != level) continue;
      if (++count <= most_annotations) write_annotation(run, diagnostic, out);
    }
    if (count > most_annotations) {
      hidden.push_back(
          count_text(count - most_annotations, fmt::format("more {}", to_string(level))));
    }
  }
  if (!hidden.empty()) {
    out << fmt::format(
        "gpulint: {} not shown as annotations: GitHub shows {} of each level for a step\n",
        fmt::join(hidden, ", "), most_annotations);
  }
  for (const RunError& error : run.errors) {
    const std::string file = error.file.empty() ? "" : error.file + ": ";
    out << fmt::format("::error title=gpulint failed::{}\n", escape_data(file + error.message));
  }
  const Summary& all = run.summary;
  out << fmt::format("gpulint: {}, {}, {} in {}\n", count_text(all.errors, "error"),
                     count_text(all.warnings, "warning"), count_text(all.infos, "info"),
                     count_text(all.files, "file"));
}

}  // namespace gpulint

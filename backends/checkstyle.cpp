#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/markup.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "backends/uri.h"

// What Checkstyle's XMLLogger writes (checkstyle 10), and reviewdog, Jenkins and others read.

namespace gpulint {
namespace {

[[nodiscard]] std::string error_attribute(std::string_view text) {
  return escape_xml(printable(text));
}

void write_error(const Run& run, const Diagnostic& diagnostic, std::ostream& out) {
  const Position at = run.sources.file(diagnostic.span).position(diagnostic.span.begin);
  out << fmt::format(
      "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" "
      "source=\"gpulint.{}\"/>\n",
      at.line, at.column, to_string(diagnostic.severity),
      error_attribute(message_with_origin(run, diagnostic)), error_attribute(diagnostic.rule->id));
}

}  // namespace

void emit_checkstyle(const Run& run, std::ostream& out) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
  std::optional<FileId> open;
  for (const Diagnostic& diagnostic : run.diagnostics) {  // file by file
    if (open != diagnostic.span.file) {
      if (open) out << "  </file>\n";
      const std::string path = repository_path(run, run.sources.file(diagnostic.span).path());
      out << fmt::format("  <file name=\"{}\">\n", error_attribute(path));
      open = diagnostic.span.file;
    }
    write_error(run, diagnostic, out);
  }
  if (open) out << "  </file>\n";
  out << "</checkstyle>\n";
}

}  // namespace gpulint

#include "backends/ink.h"

#include <fmt/format.h>

#include "backends/unicode.h"
#include "backends/uri.h"

namespace gpulint {
namespace {

/// SGR parameters, ECMA-48 §8.3.117.
[[nodiscard]] std::string_view sgr(Ink ink) {
  switch (ink) {
    case Ink::error:
      return "1;31";
    case Ink::warning:
      return "1;33";
    case Ink::info:
      return "1;36";
    case Ink::frame:
      return "1;34";
    case Ink::related:
      return "34";
    case Ink::strong:
      return "1";
    case Ink::code:
      return "36";
    case Ink::faint:
      return "2";
    case Ink::removed:
      return "31";
    case Ink::added:
      return "32";
  }
  return "0";
}

}  // namespace

Ink ink_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return Ink::info;
    case Severity::warning:
      return Ink::warning;
    case Severity::error:
      return Ink::error;
  }
  return Ink::strong;
}

Ink ink_of_diff_line(std::string_view line) {
  if (line.starts_with("--- ") || line.starts_with("+++ ")) return Ink::strong;
  if (line.starts_with('-')) return Ink::removed;
  if (line.starts_with('+')) return Ink::added;
  return line.starts_with('@') ? Ink::frame : Ink::faint;
}

std::string paint(Ink ink, std::string_view text, const Presentation& presentation) {
  if (!presentation.color || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", sgr(ink), text);
}

std::string location_text(const Run& run, Span span) {
  const SourceFile& file = run.sources.file(span);
  const Position at = file.position(span.begin);
  std::string text = printable(file.path());
  if (file.has_lines()) {
    text += fmt::format(":{}:{}", at.line, at.column);
  }
  if (!run.presentation.hyperlinks) return text;
  const std::string uri = absolute_uri(run, file.path());
  if (uri.empty()) return text;
  return fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", uri, text);
}

}  // namespace gpulint

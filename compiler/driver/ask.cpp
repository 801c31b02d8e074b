#include "compiler/driver/ask.h"

#include <iostream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/ink.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "compiler/driver/terminal.h"
#include "compiler/engine/fixer.h"

namespace gpulint {
namespace {

/// In which of the file's documents the finding lies; fixes add and remove none.
[[nodiscard]] std::uint32_t document_index(const Project& project, Span span) {
  if (span.file >= project.documents.size()) return 0;
  for (const auto& document : project.documents[span.file]) {
    if (document->span.begin <= span.begin && span.begin <= document->span.end) {
      return document->index;
    }
  }
  return 0;
}

/// What identifies a finding when later rounds meet it again, at another offset.
[[nodiscard]] std::string identity(const Project& project, const Diagnostic& finding) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", project.sources.file(finding.span).path(),
                     document_index(project, finding.span), finding.rule->id, finding.path,
                     finding.message);
}

/// The edits of one file as a coloured diff.
void print_hunk(const SourceFile& file, const std::vector<Edit>& edits, const Presentation& style) {
  const std::string diff = unified_diff(file.path(), file.text(), apply_edits(file.text(), edits));
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    std::cout << paint(ink_of_diff_line(line), printable(line), style) << '\n';
  }
}

void show(const Project& project, const Diagnostic& finding) {
  const Presentation style{
      .color = wants_color(When::automatic), .hyperlinks = false, .summary = false, .width = 0};
  std::cout << fmt::format("{}[{}]: {}\n", to_string(finding.severity), finding.rule->id,
                           printable(finding.message));
  std::map<FileId, std::vector<Edit>> by_file;
  for (const Edit& edit : finding.fix->edits) by_file[edit.span.file].push_back(edit);
  for (const auto& [file, edits] : by_file) print_hunk(project.sources.file(file), edits, style);
}

}  // namespace

bool Asker::wants(const Project& project, const Diagnostic& finding) {
  const std::string name = identity(project, finding);
  if (answered_no_.contains(name)) return false;
  if (mode_ != Mode::ask) return mode_ == Mode::take_all;
  show(project, finding);
  while (true) {
    std::cout << fmt::format("{} ({})? [y,n,a,q] ", printable(finding.fix->title),
                             to_string(finding.fix->safety))
              << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer)) {
      answer = "q";
      std::cout << '\n';
    }
    if (answer == "y") return true;
    if (answer == "a" || answer == "q") {
      mode_ = answer == "a" ? Mode::take_all : Mode::leave_all;
      return answer == "a";
    }
    if (answer == "n") {
      answered_no_.insert(name);
      return false;
    }
    std::cout << "y: take this fix, n: leave it, a: take it and all others, q: leave all others\n";
  }
}

}  // namespace gpulint

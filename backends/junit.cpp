#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/text.h"
#include "backends/unicode.h"
#include "backends/uri.h"

// The dialect that Jenkins, GitLab and GitHub viewers share: a file is a suite, a finding a failed
// case, a file without findings one passed case. Infos are output of a passed case: they fail
// nothing.

namespace gpulint {
namespace {

struct Suite {
  std::string path;
  std::vector<const Diagnostic*> findings;

  [[nodiscard]] std::size_t failures() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        findings, [](const Diagnostic* d) { return d->severity != Severity::info; }));
  }
};

[[nodiscard]] std::vector<Suite> suites_of(const Run& run) {
  std::vector<Suite> suites;
  for (FileId id = 0; id < run.sources.size(); ++id) {
    suites.push_back({repository_path(run, run.sources.file(id).path()), {}});
  }
  for (const Diagnostic& diagnostic : run.diagnostics) {
    suites[diagnostic.span.file].findings.push_back(&diagnostic);
  }
  return suites;
}

[[nodiscard]] std::string attribute(std::string_view text) {
  return escape_markup(printable(text));  // a line break in an attribute reads as a blank
}

[[nodiscard]] std::string finding_text(const Run& run, const Diagnostic& diagnostic) {
  std::ostringstream text;
  write_finding(run, diagnostic, text);
  return text.str();
}

void write_case(const Run& run, const Suite& suite, const Diagnostic& diagnostic,
                std::ostream& out) {
  const Position at = run.sources.file(diagnostic.span).position(diagnostic.span.begin);
  out << fmt::format("    <testcase classname=\"{}\" name=\"{}:{}:{}\" time=\"0\">\n",
                     attribute(suite.path), attribute(diagnostic.rule->id), at.line, at.column);
  const std::string text = escape_markup(finding_text(run, diagnostic));
  if (diagnostic.severity == Severity::info) {
    out << "      <system-out>" << text << "</system-out>\n";
  } else {
    out << fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                       to_string(diagnostic.severity), attribute(diagnostic.message), text);
  }
  out << "    </testcase>\n";
}

void write_suite(const Run& run, const Suite& suite, std::ostream& out) {
  const std::string path = attribute(suite.path);
  out << fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" "
      "time=\"0\">\n",
      path, std::max<std::size_t>(suite.findings.size(), 1), suite.failures());
  for (const Diagnostic* diagnostic : suite.findings) write_case(run, suite, *diagnostic, out);
  if (suite.findings.empty()) {
    out << fmt::format("    <testcase classname=\"{}\" name=\"no findings\" time=\"0\"/>\n", path);
  }
  out << "  </testsuite>\n";
}

}  // namespace

void emit_junit(const Run& given, std::ostream& out) {
  Run run = given;
  run.presentation = {};  // the text in a failure is for files, not for a terminal
  const std::vector<Suite> suites = suites_of(run);
  std::size_t tests = 0;
  std::size_t failures = 0;
  for (const Suite& suite : suites) {
    tests += std::max<std::size_t>(suite.findings.size(), 1);
    failures += suite.failures();
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format(
             "<testsuites name=\"gpulint\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"0\">\n",
             tests, failures);
  for (const Suite& suite : suites) write_suite(run, suite, out);
  out << "</testsuites>\n";
}

}  // namespace gpulint

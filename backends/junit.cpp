#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/stream_origin.h"
#include "backends/text.h"
#include "backends/unicode.h"
#include "backends/uri.h"

// The dialect that Jenkins, GitLab and GitHub viewers share: a file is a suite, a finding a failed
// case, a file without findings one passed case. Findings below the threshold are output of a
// passed case: they fail nothing. What could not be read is a case with an error.

namespace gpulint {
namespace {

[[nodiscard]] bool is_failure(const Run& run, const Diagnostic& diagnostic) {
  return run.fail_on && diagnostic.severity >= *run.fail_on;
}

struct Suite {
  std::string path;
  std::vector<const Diagnostic*> findings;

  [[nodiscard]] std::size_t failures(const Run& run) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        findings, [&](const Diagnostic* each) { return is_failure(run, *each); }));
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
  return escape_xml(printable(text));  // a line break in an attribute reads as a blank
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
  const std::string text = escape_xml(finding_text(run, diagnostic));
  if (!is_failure(run, diagnostic)) {
    out << "      <system-out>" << text << "</system-out>\n";
  } else {
    out << fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                       to_string(diagnostic.severity),
                       attribute(message_with_origin(run, diagnostic)), text);
  }
  out << "    </testcase>\n";
}

void write_suite(const Run& run, const Suite& suite, std::ostream& out) {
  const std::string path = attribute(suite.path);
  out << fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" "
      "time=\"0\">\n",
      path, std::max<std::size_t>(suite.findings.size(), 1), suite.failures(run));
  for (const Diagnostic* diagnostic : suite.findings) write_case(run, suite, *diagnostic, out);
  if (suite.findings.empty()) {
    out << fmt::format("    <testcase classname=\"{}\" name=\"no findings\" time=\"0\"/>\n", path);
  }
  out << "  </testsuite>\n";
}

void write_errors(const Run& run, std::ostream& out) {
  if (run.errors.empty()) return;
  out << fmt::format(
      "  <testsuite name=\"gpulint\" tests=\"{0}\" failures=\"0\" errors=\"{0}\" skipped=\"0\" "
      "time=\"0\">\n",
      run.errors.size());
  for (const RunError& error : run.errors) {
    out << fmt::format(
        "    <testcase classname=\"gpulint\" name=\"{}\" time=\"0\">\n"
        "      <error type=\"run\" message=\"{}\"/>\n    </testcase>\n",
        error.file.empty() ? "run" : attribute(repository_path(run, error.file)),
        attribute(error.message));
  }
  out << "  </testsuite>\n";
}

}  // namespace

void emit_junit(const Run& given, std::ostream& out) {
  Run run = given;
  run.presentation = {};  // the text in a failure is for files, not for a terminal
  const std::vector<Suite> suites = suites_of(run);
  std::size_t tests = run.errors.size();
  std::size_t failures = 0;
  for (const Suite& suite : suites) {
    tests += std::max<std::size_t>(suite.findings.size(), 1);
    failures += suite.failures(run);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format(
             "<testsuites name=\"gpulint\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
             "time=\"0\">\n",
             tests, failures, run.errors.size());
  for (const Suite& suite : suites) write_suite(run, suite, out);
  write_errors(run, out);
  out << "</testsuites>\n";
}

}  // namespace gpulint

#include <algorithm>
#include <array>

#include "backends/backend.h"
#include "backends/emitters.h"

namespace gpulint {
namespace {

constexpr std::array backends = std::to_array<Backend>({
    {"text", "findings with source, underline and help (the default)", emit_text},
    {"concise", "one line a finding: file:line:col: error[id]: message", emit_concise},
    {"json", "everything that is known of each finding", emit_json},
    {"sarif", "SARIF 2.1.0, for GitHub code scanning and editors", emit_sarif},
    {"github", "GitHub workflow commands: annotations on a pull request", emit_github},
    {"gitlab", "GitLab code quality report", emit_gitlab},
    {"junit", "JUnit XML, for test reports", emit_junit},
    {"openreports", "Reports of openreports.io, for kubectl apply", emit_openreports},
    {"policyreport", "PolicyReports of wgpolicyk8s.io, for kubectl apply", emit_policyreport},
    {"html", "one self-contained page to read, print and keep", emit_html},
    {"jsonl", "one finding a line, as in json", emit_jsonl},
    {"checkstyle", "Checkstyle XML, for Jenkins and other viewers", emit_checkstyle},
    {"rdjson", "Reviewdog's format: comments on a pull request", emit_rdjson},
    {"azure", "logging commands of Azure Pipelines", emit_azure},
    {"sonar", "SonarQube's generic issues", emit_sonar},
    {"markdown", "the page for $GITHUB_STEP_SUMMARY", write_job_summary},
});

}  // namespace

std::span<const Backend> all_backends() { return backends; }

const Backend* find_backend(std::string_view name) {
  const auto found = std::ranges::find(backends, name, &Backend::name);
  return found == backends.end() ? nullptr : &*found;
}

Summary summarize(std::span<const Diagnostic> diagnostics, std::size_t files,
                  std::size_t documents) {
  Summary summary{.files = files, .documents = documents};
  for (const Diagnostic& diagnostic : diagnostics) {
    switch (diagnostic.severity) {
      case Severity::info:
        ++summary.infos;
        break;
      case Severity::warning:
        ++summary.warnings;
        break;
      case Severity::error:
        ++summary.errors;
        break;
    }
  }
  return summary;
}

}  // namespace gpulint

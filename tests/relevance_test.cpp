// What a folder walk skips unread changes no finding: a document that mentions nothing of ours has
// none, but for its syntax.
#include "frontend/relevance.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "tests/harness/case_runner.h"
#include "tests/harness/golden.h"

namespace {

using namespace gpulint;
namespace fs = std::filesystem;

/// Findings that a document has which is skipped in walks, one a line.
[[nodiscard]] std::string findings_in_skipped(const std::string& path) {
  Request request;
  request.preview = true;
  request.paths = {path};
  request.no_config = true;
  const auto project = load_project(request);
  // Beside a LimitRange all documents are read.
  const bool is_read_whole = std::ranges::any_of(project->scopes, [](const Scope& scope) {
    return std::ranges::any_of(scope.corpus.objects, [](const KubernetesObject& object) {
      return object.kind.equals("LimitRange");
    });
  });
  if (is_read_whole) return {};
  std::string result;
  for (const Diagnostic& finding : check_project(*project, request)) {
    if (finding.rule->category == "reading") continue;
    for (const auto& document : project->documents[finding.span.file]) {
      if (document->host != nullptr || !document->span.contains(finding.span)) continue;
      const std::string_view text = project->sources.text(document->span);
      if (!may_concern_gpus(text))
        result += fmt::format("{}: {}\n", finding.rule->id, finding.message);
    }
  }
  return result;
}

[[nodiscard]] bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml" || path.extension() == ".json";
}

void check_relevance(const fs::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_yaml(entry.path())) continue;
    INFO(entry.path());
    CHECK(findings_in_skipped(entry.path()) == "");
    ++files;
  }
  CHECK(files > 0);
}

}  // namespace

TEST_CASE("no case of a rule has a finding in a document that a walk skips") {
  check_relevance(fs::path(GPULINT_SOURCE_DIR) / "rules");
}

TEST_CASE("no file of the corpus has a finding in a document that a walk skips") {
  check_relevance(test::shared_folder("corpus"));
}

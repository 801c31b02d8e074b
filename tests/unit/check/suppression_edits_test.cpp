#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/check/suppression.h"
#include "compiler/edit/fixer.h"
#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"

namespace {

using namespace gpulint;

constexpr RuleInfo rule{.id = "some-flaw", .category = "c", .summary = "s"};
constexpr RuleInfo other{.id = "another-flaw", .category = "c", .summary = "s"};

/// A file with its documents, embedded ones included.
struct Input {
  explicit Input(const std::string& text) : file(0, "a.yaml", text), owned(parse_file(file)) {
    for (std::size_t i = 0, count = owned.size(); i < count; ++i) {
      for (auto& embedded : embedded_documents(*owned[i], file)) {
        owned.push_back(std::move(embedded));
      }
    }
    for (const auto& document : owned) documents.push_back(document.get());
  }

  [[nodiscard]] Diagnostic at(std::string_view word, const RuleInfo& info = rule) const {
    Diagnostic finding;
    finding.rule = &info;
    const auto begin = static_cast<std::uint32_t>(file.text().find(word));
    finding.span = {0, begin, begin + static_cast<std::uint32_t>(word.size())};
    return finding;
  }

  [[nodiscard]] std::string suppressed(const std::vector<Diagnostic>& findings) const {
    return apply_edits(file.text(), suppression_edits(file, documents, findings, "why"));
  }

  SourceFile file;
  std::vector<std::unique_ptr<Document>> owned;
  std::vector<const Document*> documents;
};

/// The text with the finding at `word` suppressed; checks that reading it again silences it.
[[nodiscard]] std::string suppress(const std::string& text, std::string_view word) {
  const Input before(text);
  const std::string result = before.suppressed({before.at(word)});
  const Input after(result);
  std::vector<Suppression> suppressions = read_suppressions(after.file, after.documents);
  std::vector<Diagnostic> findings = {after.at(word)};
  apply_suppressions(suppressions, findings);
  CHECK(findings.empty());
  return result;
}

}  // namespace

TEST_CASE("A suppression ends the line") {
  CHECK(suppress("a: 1\nb: 2\n", "b") == "a: 1\nb: 2  # gpulint: ignore[some-flaw] why\n");
  CHECK(suppress("a: 1\nb: 2", "b") == "a: 1\nb: 2  # gpulint: ignore[some-flaw] why");
  CHECK(suppress("a: 1\r\nb: 2\r\n", "a") == "a: 1  # gpulint: ignore[some-flaw] why\r\nb: 2\r\n");
  CHECK(suppress("a: {b: 1,\n  c: 2}\n", "b") ==
        "a: {b: 1,  # gpulint: ignore[some-flaw] why\n  c: 2}\n");
}

TEST_CASE("Comments that are there stay") {
  CHECK(suppress("a: 1 # x\n", "a") == "a: 1 # x  # gpulint: ignore[some-flaw] why\n");
  CHECK(suppress("a: 1 # gpulint: ignore[x] old\n", "a") ==
        "a: 1 # gpulint: ignore[x, some-flaw] old\n");
}

TEST_CASE("Several findings of a line share one comment") {
  const Input input("a: {b: 1}\n");
  CHECK(input.suppressed({input.at("a"), input.at("b", other), input.at("b")}) ==
        "a: {b: 1}  # gpulint: ignore[another-flaw, some-flaw] why\n");
}

TEST_CASE("Scalars over several lines are not broken") {
  CHECK(suppress("x:\n  a: one\n    two\n", "one") ==
        "x:\n  # gpulint: ignore[some-flaw] why\n  a: one\n    two\n");
  CHECK(suppress("a: \"one\n  two\"\n", "one") ==
        "# gpulint: ignore[some-flaw] why\na: \"one\n  two\"\n");
  CHECK(suppress("a: |\n  one\n", "a") == "a: |  # gpulint: ignore[some-flaw] why\n  one\n");
}

TEST_CASE("YAML inside of a ConfigMap takes the comment itself") {
  const std::string text =
      "kind: ConfigMap\ndata:\n  k8s.yaml: |\n    plugins:\n      k8s:\n"
      "        gpu-resource-name: nvidia.com/gpu\n";
  CHECK(suppress(text, "gpu-resource-name") ==
        text.substr(0, text.size() - 1) + "  # gpulint: ignore[some-flaw] why\n");
}

TEST_CASE("Where no comment can stand nothing is changed") {
  for (const std::string text : {"{\"a\": 1}\n", "a: [1\n", "a: |\n  one\n  two\n"}) {
    const Input input(text);
    const std::string_view word = text.find("one") == std::string::npos ? "a" : "two";
    CHECK(input.suppressed({input.at(word)}) == text);
  }
}

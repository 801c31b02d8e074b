#include "compiler/engine/rule.h"

#include <string_view>

namespace gpulint::rules::trailing_content {
namespace {

constexpr std::string_view behind_yaml =
    "Kubernetes' and Helm's readers drop it and all that follows without a word; indent it as what "
    "is above it, or begin a document with `---`";
constexpr std::string_view beside_json =
    "kubectl takes nothing but further JSON objects here; nothing of this one is checked";

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::trailing) continue;
      reporter.report_span(error.span, {}, "{}", error.message)
          .help("{}", document->is_json ? beside_json : behind_yaml);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "reading"}, .check = check, .depends_on = DependsOn::file};

}  // namespace gpulint::rules::trailing_content

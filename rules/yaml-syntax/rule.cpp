#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"

namespace gpulint::rules {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::syntax) continue;
      reporter.report_span(error.span, {}, "not valid YAML: {}", error.message)
          .help("nothing of this document is checked until it parses; other documents are");
    }
  }
}

}  // namespace

extern constinit const Rule yaml_syntax;
constinit const Rule yaml_syntax{
    .info = {.id = "yaml-syntax",
             .category = "reading",
             .summary = "A document is not valid YAML, so that nothing reads it.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules

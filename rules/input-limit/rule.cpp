#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"

namespace gpulint::rules::input_limit {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::limit) continue;
      reporter.report_span(error.span, {}, "not read: {}", error.message)
          .help("nothing of this document is checked; other documents are");
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "input-limit",
             .category = "reading",
             .summary = "A document goes beyond a limit of gpulint, so that it is not checked.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check,
    .reach = Reach::file};

}  // namespace gpulint::rules::input_limit

#include "compiler/engine/rule.h"

#include "compiler/base/shell_word.h"

namespace gpulint::rules::input_limit {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::limit) continue;
      reporter.report_span(error.span, {}, "this document was not read: {}", error.message)
          .help(
              "leave the document out of the inputs if it is not a manifest; gpulint checks all "
              "other documents");
    }
  }
  for (const kustomize::Unmerged& each : corpus.unmerged) {
    if (!each.is_oversized) continue;
    reporter.report_span(each.place.span(), {}, "this kustomization was not built: {}", each.reason)
        .help(
            "check the output of `kubectl kustomize {}`; gpulint checks only the files as written",
            shell_word(each.folder));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "reading"}, .check = check};

}  // namespace gpulint::rules::input_limit

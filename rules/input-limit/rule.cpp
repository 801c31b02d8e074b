#include "compiler/engine/rule.h"

#include "compiler/base/shell_word.h"

namespace gpulint::rules::input_limit {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::limit) continue;
      reporter
          .report_span(error.span, {}, "gpulint did not read this document, because {}",
                       error.message)
          .help(
              "simplify the document, or remove the document from the inputs if it is not a "
              "manifest. Otherwise gpulint checks only the other documents");
    }
  }
  for (const kustomize::Unmerged& each : corpus.unmerged) {
    if (!each.is_oversized) continue;
    reporter
        .report_span(each.place.span(), {}, "gpulint did not build this kustomization, because {}",
                     each.reason)
        .help(
            "run gpulint on the output of `kubectl kustomize {}`. Otherwise gpulint checks only "
            "the files as written",
            shell_word(each.folder));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "reading"}, .check = check};

}  // namespace gpulint::rules::input_limit

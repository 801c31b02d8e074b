#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules {
namespace {

/// Templates of the file that stand in the stream, not in some string of it.
[[nodiscard]] bool is_template_of(const Document& document, FileId file) {
  return document.file == file && document.is_template && document.host == nullptr;
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::vector<FileId> told;
  for (const Document* document : corpus.documents) {
    if (!is_template_of(*document, document->file)) continue;
    if (!told.empty() && told.back() == document->file) continue;
    told.push_back(document->file);
    const auto templates = std::ranges::count_if(corpus.documents, [&](const Document* other) {
      return is_template_of(*other, document->file);
    });
    Finding finding =
        templates == 1
            ? reporter.report_span(document->template_mark, {}, "a template that is not checked")
            : reporter.report_span(document->template_mark, {},
                                   "the first of {} templates that are not checked", templates);
    finding.help("check what it renders to, e.g. `helm template … | gpulint check -`");
  }
}

}  // namespace

extern constinit const Rule unrendered_template;
constinit const Rule unrendered_template{
    .info = {.id = "unrendered-template",
             .category = "reading",
             .summary = "A document is a template yet to be rendered, so that it is not checked.",
             .severity = Severity::info,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules

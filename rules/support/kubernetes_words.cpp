#include "rules/support/kubernetes_words.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "rules/support/edits.h"

namespace gpulint::rules {

bool ApiWords::has(std::string_view word) const {
  return std::ranges::find(known, word) != known.end();
}

std::string_view ApiWords::meant_by(std::string_view written) const {
  std::string joined(written);
  std::erase_if(joined, [](char c) { return c == '_' || c == '-'; });
  for (const std::string_view word : known) {
    if (equal_fold(joined, word)) return word;
  }
  for (const std::string_view sign : {"equal", "equals", "==", "=", "eq"}) {
    if (!equal.empty() && equal_fold(written, sign)) return equal;
  }
  return nearest(written, known).value_or("");
}

Finding report_word(const Corpus& corpus, Reporter& reporter, Node at, const ApiWords& words) {
  const bool is_part = at.text().find(':') != std::string_view::npos;
  Finding finding = !at.is_scalar() ? reporter.report(at, "the {} is missing", words.what)
                    : is_part ? reporter.report(at, "`{}` ends in no {}", at.text(), words.what)
                              : reporter.report(at, "`{}` is no {}", at.text(), words.what);
  finding.help("it takes {}", fmt::join(words.known, ", "));
  const std::string_view meant = at.is_scalar() && !is_part ? words.meant_by(at.text()) : "";
  if (meant.empty()) return finding;
  return finding.fix(Safety::safe, fmt::format("write `{}`", meant),
                     replace_string(*corpus.sources, at, meant));
}

}  // namespace gpulint::rules

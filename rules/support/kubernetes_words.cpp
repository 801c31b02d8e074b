#include "rules/support/kubernetes_words.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules {

bool means_equal(std::string_view word) {
  return std::ranges::any_of(std::to_array<std::string_view>({"equal", "equals", "==", "=", "eq"}),
                             [&](std::string_view sign) { return equal_fold(word, sign); });
}

bool ApiWords::has(std::string_view word) const {
  return std::ranges::find(known, word) != known.end();
}

std::string_view ApiWords::meant_by(std::string_view written) const {
  std::string joined(written);
  std::erase_if(joined, [](char c) { return c == '_' || c == '-'; });
  for (const std::string_view word : known) {
    if (equal_fold(joined, word)) return word;
  }
  if (!equal.empty() && means_equal(written)) return equal;
  return nearest(written, known).value_or("");
}

namespace {

/// Whether the requirement has values exactly if the operator requires them; else the API server
/// rejects it as well.
[[nodiscard]] bool goes_with_values(Node op, std::string_view word) {
  const Node values = op.parent().get("values");
  const bool has_values = values.size() > 0 || values.is_opaque() || op.parent().get("value");
  return has_values != (word == "Exists" || word == "DoesNotExist");
}

}  // namespace

Finding report_word(const Corpus& corpus, Reporter& reporter, Node at, const ApiWords& words) {
  const bool is_part = at.text().find(':') != std::string_view::npos;
  Finding finding = !at.is_scalar() ? reporter.report(at, "{}", words.missing)
                    : is_part
                        ? reporter.report(at, "`{}` does not end in a {}", at.text(), words.what)
                        : reporter.report(at, "`{}` is not a {}", at.text(), words.what);
  finding.help("use one of {}", fmt::join(words.known, ", "));
  const std::string_view meant = at.is_scalar() && !is_part ? words.meant_by(at.text()) : "";
  const bool is_requirement = words.has("DoesNotExist");
  if (meant.empty() || (is_requirement && !goes_with_values(at, meant))) return finding;
  return finding.fix(Safety::safe, fmt::format("write `{}`", meant),
                     replace_string(*corpus.sources, at, meant));
}

}  // namespace gpulint::rules

#include "rules/mig-strategy-mismatch/strategy_words.h"

#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/operator_keys.h"

namespace gpulint::rules::mig_strategy_mismatch {

void check_words(const Corpus& corpus, Reporter& reporter) {
  constexpr auto words = std::to_array<std::string_view>({"none", "single", "mixed"});
  for (const ChartUse& use : corpus.chart_uses) {
    Node at;
    if (use.keys->name == "GPU Operator") at = use.values.at("mig", "strategy");
    if (use.keys->name == "NVIDIA's device plugin") at = use.values.get("migStrategy");
    const Field<std::string> word = at ? read_string(at) : Field<std::string>{};
    if (!word.is_known() || word.value().empty() || is_listed(words, word.value())) continue;
    Finding finding = reporter.report(at, "`{}` is no MIG strategy", word.value());
    finding.help(
        "it is one of `{}`; with another one the chart is refused, or its plugin does not "
        "start",
        fmt::join(words, "`, `"));
    const auto meant = nearest(word.value(), words);
    if (!meant || at.text() != word.value()) continue;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                replace_string(*corpus.sources, at, *meant));
  }
}

}  // namespace gpulint::rules::mig_strategy_mismatch

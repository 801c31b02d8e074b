#include "rules/unmatched-node-selector/advice.h"

#include <algorithm>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "compiler/model/accelerator_catalog.h"
#include "compiler/model/product_label.h"
#include "compiler/model/provider_catalog.h"
#include "rules/support/causes.h"
#include "rules/support/label_edits.h"

namespace gpulint::rules::unmatched_node_selector {
namespace {

using Half = UnmatchedRequirement::Half;

/// Whether the pod has the name that GPU Feature Discovery gives nodes, and pools one that it never
/// does: then theirs is wrong.
[[nodiscard]] bool is_right_product(const UnmatchedRequirement& unmatched) {
  const auto is_known = [](const std::string& value) {
    return std::ranges::any_of(find_device(whole_product(value)), [](const DeviceName* name) {
      return name->vocabulary == DeviceVocabulary::gfd;
    });
  };
  return vocabulary_of_label(unmatched.key) == DeviceVocabulary::gfd &&
         unmatched.wanted.size() == 1 && is_known(unmatched.wanted.front()) &&
         std::ranges::none_of(unmatched.carried, is_known);
}

}  // namespace

void advise(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const auto offer = [&](const MeantLabel& meant) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
                correct_labels(*corpus.sources, cause, meant));
  };
  if (!unmatched.suggested_key.empty()) {
    const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
    finding.help("{} carries `{}`", describe(*cause.pool), meant.text());
    if (cause.is_fix_verified) offer(meant);
    return;
  }
  if (unmatched.carried.empty()) {
    if (unmatched.half == Half::key) {
      finding.help(
          "label the nodes so, or leave the requirement out; `gpulint nodes` lists labels");
    }
    return;
  }
  if (is_right_product(unmatched)) {
    finding.help("nodes with such GPUs carry `{}`; what is declared is {}, which no GPU is called",
                 unmatched.wanted.front(), list(unmatched.carried));
    return;
  }
  finding.help("known nodes carry {} under this key", list(unmatched.carried));
  // The only value there is: whether the pod then fits is proven before the fix is offered.
  const bool is_only = unmatched.half == Half::value && unmatched.op == "In" &&
                       unmatched.carried.size() == 1 && unmatched.wanted.size() == 1;
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (is_only && is_written) offer({unmatched.key, unmatched.carried.front()});
}

}  // namespace gpulint::rules::unmatched_node_selector

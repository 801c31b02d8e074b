#include "rules/unmatched-node-selector/other_gpu.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/product_label.h"
#include "compiler/schedule/gpu_products.h"
#include "compiler/schedule/pool_machines.h"
#include "rules/support/causes.h"
#include "rules/support/label_edits.h"

namespace gpulint::rules::unmatched_node_selector {

bool is_of_other_gpu(const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  return unmatched.key == product_label && unmatched.wanted.size() == 1 &&
         unmatched.carried.empty() && is_of_other_gpu(*cause.pool, unmatched.wanted.front());
}

bool advise_other_gpu(const Corpus& corpus, const Cause& cause, Finding& finding) {
  if (!is_of_other_gpu(cause)) return false;
  finding.related(machines_node(*cause.pool), "the machines of " + describe(*cause.pool));
  const std::vector<std::string_view> theirs = product_labels_of(*cause.pool);
  if (theirs.empty()) {
    finding.help("its machines have another GPU, whatever labels its nodes get");
    return true;
  }
  finding.help("GPU Feature Discovery calls theirs {}",
               list(std::vector<std::string>(theirs.begin(), theirs.end())));
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (theirs.size() > 1 || !is_written) return true;
  const MeantLabel meant{std::string(product_label), std::string(theirs.front())};
  finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
              correct_labels(*corpus.sources, cause, meant));
  return true;
}

}  // namespace gpulint::rules::unmatched_node_selector

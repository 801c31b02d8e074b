#include "rules/refused-node-pool/aks_profile.h"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/gpu_catalog.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/model/pools/aks_pools.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {

void report_aks_profile(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Node at = aks_gpu_profile(pool);
  const Field<std::string> profile = at ? read_string(at) : Field<std::string>{};
  if (!profile.is_known() || profile.value().empty()) return;
  if (!is_listed(aks_gpu_profiles, profile.value())) {
    Finding finding = reporter.report(at, "AKS has no GPU instance profile `{}`", profile.value());
    finding.help("it is one of `{}`: the pool is refused", fmt::join(aks_gpu_profiles, "`, `"));
    const auto meant = nearest(profile.value(), aks_gpu_profiles);
    if (!meant || at.text() != profile.value()) return;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                replace_string(*corpus.sources, at, *meant));
    return;
  }
  if (pool.machine_types.size() != 1) return;
  const Machine* const machine = find_machine(pool.machine_types.front().value);
  const bool is_whole =
      machine != nullptr && !machine->is_open &&
      (machine->accelerators.empty() ||
       (!machine->product.empty() && mig_gpus_of_product(machine->product).empty()));
  if (!is_whole) return;
  reporter
      .report(at, "GPUs of `{}` cannot be cut into `{}`", pool.machine_types.front().value,
              profile.value())
      .related(pool.machine_types.front().node, "the machine")
      .help(
          "AKS cuts those of A100, H100 and H200 sizes: leave the profile out, or choose one of "
          "these");
}

}  // namespace gpulint::rules::refused_node_pool

#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/karpenter/machines.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/refused-node-pool/karpenter_flaws.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {
namespace {

/// Types that are none of their EC2 family's. Types may be newer than the table.
void check_type(const Corpus& corpus, const Value<std::string>& type, Reporter& reporter) {
  const std::string_view text = type.value;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || find_machine(text) != nullptr) return;
  const auto family = machines_of_family(text.substr(0, dot));
  if (family.empty()) return;
  Finding finding = reporter.report(type.node, "no instance type `{}` is known", text);
  finding.help("its family has {}", describe(family)).severity(Severity::warning);
  const std::string_view only = family.front()->type;
  if (family.size() > 1) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", only),
              replace_string(*corpus.sources, type.node, only));
}

/// Compute Engine, «About GPU instances»: N1 machines take GPUs, A and G series come with theirs.
void check_attachment(const NodePool& pool, Reporter& reporter) {
  const Node config = pool.node.at("spec", "nodeConfig");
  const auto accelerators = config.get("guestAccelerator").items();
  if (accelerators.empty() || pool.machine_types.size() != 1) return;
  const Field<std::int64_t> count = read_int(accelerators.front(), "count");
  const Value<std::string>& type = pool.machine_types.front();
  if (!count.is_known() || count.value() < 1) return;
  if (!is_machine_without_accelerators(type.value)) return;
  reporter.report(type.node, "no GPU can be attached to machines of the type `{}`", type.value)
      .related(accelerators.front(), "the GPU")
      .help("N1 machines take GPUs; A2, A3, A4 and G2 machines come with theirs");
}

}  // namespace

void report_machine_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  if (!pool.error.empty()) return;
  for (const Value<std::string>& type : pool.machine_types) check_type(corpus, type, reporter);
  if (pool.source == NodePool::Source::config_connector) check_attachment(pool, reporter);
}

}  // namespace gpulint::rules::refused_node_pool

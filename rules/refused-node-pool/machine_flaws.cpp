#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/accelerator_catalog.h"
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

/// The GPUs that a pool of GKE asks for beside its machine type.
struct Attachment {
  Node gpu;
  Field<std::string> type;
  Field<std::int64_t> count;
};

[[nodiscard]] Attachment find_attachment(const NodePool& pool) {
  Node gpu = pool.node.get("gpu");
  if (pool.source != NodePool::Source::compute_class) {
    const auto accelerators = pool.node.at("spec", "nodeConfig").get("guestAccelerator").items();
    gpu = accelerators.empty() ? Node{} : accelerators.front();
  }
  return {gpu, read_string(gpu, "type"), read_int(gpu, "count")};
}

/// Machines that come with their GPUs take no others, and no other number.
void check_built_in(const Corpus& corpus, const Attachment& asked, const Value<std::string>& type,
                    Reporter& reporter) {
  const Machine* const machine = find_machine(type.value);
  if (machine == nullptr || machine->is_open || machine->accelerators.size() != 1) return;
  const std::int64_t built_in = machine->accelerators.front().count;
  const std::string_view own = machine->gke_accelerator;
  if (asked.type.is_known() && !own.empty() && asked.type.value() != own) {
    Finding finding = reporter.report(asked.type.node(), "machines of the type `{}` have no `{}`",
                                      type.value, asked.type.value());
    finding.related(type.node, "the type of the machines")
        .help("A2, A3, A4 and G2 machines come with their GPUs and take no others: these have `{}`",
              own);
    // Another GPU may be what is meant, and the machine be wrong.
    if (!find_device(asked.type.value()).empty()) return;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", own),
                replace_string(*corpus.sources, asked.type.node(), own));
  } else if (asked.count.is_known() && asked.count.value() > 0 && asked.count.value() != built_in) {
    reporter
        .report(asked.count.node(), "machines of the type `{}` have {} GPUs each, not {}",
                type.value, built_in, asked.count.value())
        .related(type.node, "the type of the machines")
        .help("another number needs another machine type: GKE refuses the pool");
  }
}

/// Compute Engine, «About GPU instances»: N1 machines take GPUs, A and G series come with theirs.
void check_attachment(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Attachment asked = find_attachment(pool);
  if (!asked.gpu || pool.machine_types.size() != 1) return;
  const Value<std::string>& type = pool.machine_types.front();
  check_built_in(corpus, asked, type, reporter);
  if (!asked.count.is_known() || asked.count.value() < 1) return;
  if (!is_machine_without_accelerators(type.value)) return;
  reporter.report(type.node, "no GPU can be attached to machines of the type `{}`", type.value)
      .related(asked.gpu, "the GPU")
      .help("N1 machines take GPUs; A2, A3, A4 and G2 machines come with theirs");
}

}  // namespace

void report_machine_flaws(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  if (!pool.error.empty()) return;
  for (const Value<std::string>& type : pool.machine_types) check_type(corpus, type, reporter);
  const bool is_gke = pool.source == NodePool::Source::config_connector ||
                      pool.source == NodePool::Source::compute_class;
  if (is_gke) check_attachment(corpus, pool, reporter);
}

}  // namespace gpulint::rules::refused_node_pool

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/karpenter/machines.h"
#include "compiler/model/read_pod.h"
#include "rules/refused-node-pool/karpenter_flaws.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {
namespace {

/// The name by which Karpenter calls a GPU that is named as elsewhere: `nvidia-a10g`,
/// `NVIDIA-A100-SXM4-40GB`; empty where none is known.
[[nodiscard]] std::string karpenter_name(std::string_view written) {
  std::string name = to_lower(written);
  for (const std::string_view vendor : {"nvidia-", "tesla-", "amd-"}) {
    if (name.starts_with(vendor)) name.erase(0, vendor.size());
  }
  if (!is_karpenter_gpu_name(name)) name = name.substr(0, name.find('-'));
  return is_karpenter_gpu_name(name) && name != written ? name : std::string{};
}

/// Names of GPUs that no machine has, where the right one is known. True where all are such.
bool report_gpu_names(const Corpus& corpus, const SelectorRequirement& requirement,
                      Reporter& reporter) {
  const std::string key = requirement.key.value_or("");
  if (!key.ends_with("/instance-gpu-name") || !requirement.op.equals("In")) return false;
  const auto is_wrong = [](const Field<std::string>& value) {
    return value.is_known() && !is_karpenter_gpu_name(value.value()) &&
           !karpenter_name(value.value()).empty();
  };
  if (requirement.values.empty() || !std::ranges::all_of(requirement.values, is_wrong)) {
    return false;
  }
  for (const Field<std::string>& value : requirement.values) {
    const std::string meant = karpenter_name(value.value());
    reporter.report(value.node(), "no instance type has `{}={}`", key, value.value())
        .help("Karpenter calls it `{}`", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus.sources, value.node(), meant));
  }
  return true;
}

/// Types that are none of their family's, where all that are named are such.
bool report_types(const SelectorRequirement& requirement, Reporter& reporter) {
  const bool is_type = requirement.key.value_or("").ends_with("kubernetes.io/instance-type");
  if (!is_type || !requirement.op.equals("In") || requirement.values.empty()) return false;
  const auto family = [](const Field<std::string>& value) {
    const std::string type = value.value_or("");
    return machines_of_family(std::string_view(type).substr(0, type.find('.')));
  };
  const bool are_unknown =
      std::ranges::all_of(requirement.values, [&](const Field<std::string>& value) {
        return value.is_known() && find_machine(value.value()) == nullptr && !family(value).empty();
      });
  if (!are_unknown) return false;
  for (const Field<std::string>& value : requirement.values) {
    reporter.report(value.node(), "no instance type `{}` is known", value.value())
        .help("its family has {}", describe(family(value)))
        .severity(Severity::warning);
  }
  return true;
}

/// `arm64` or `amd64`; «so» where no values are asked for.
[[nodiscard]] std::string values_text(const SelectorRequirement& requirement) {
  std::vector<std::string> values;
  for (const Field<std::string>& value : requirement.values) {
    if (value.is_known()) values.push_back(fmt::format("`{}`", value.value()));
  }
  const bool is_listed = requirement.op.equals("In") && !values.empty() && values.size() < 4;
  return is_listed ? fmt::format("{}", fmt::join(values, " or ")) : "so";
}

[[nodiscard]] KarpenterRequirements without(const KarpenterPool& pool,
                                            const SelectorRequirement& left_out) {
  KarpenterRequirements requirements;
  for (const SelectorRequirement& requirement : pool.stated) {
    if (&requirement != &left_out) requirements.add(requirement);
  }
  for (const LabelEntry& label : read_string_map(pool.labels)) requirements.add(label);
  return requirements;
}

/// The requirement without which machines are left: the last one, since people choose families
/// first.
void report_empty(const NodePool& pool, Reporter& reporter) {
  const KarpenterPool& karpenter = *pool.karpenter;
  for (auto at = karpenter.stated.rbegin(); at != karpenter.stated.rend(); ++at) {
    const MachineSet left = machines_left(without(karpenter, *at));
    if (left.machines.empty() || !left.is_closed || !at->node) continue;
    reporter
        .report(
            at->values.empty() || !at->values.front().node() ? at->node : at->values.front().node(),
            "no instance type meets `{}` and all else that {} requires", at->key.value_or(""),
            describe(pool))
        .help("all else leaves {}, none of which is {}: Karpenter makes no node",
              describe(left.machines), values_text(*at));
    return;
  }
  reporter
      .report_span(name_node(pool).span(), name_node(pool),
                   "no instance type meets all that {} requires", describe(pool))
      .help("Karpenter makes no node of it");
}

/// The least of a resource that one of the machines brings; nothing where one of them is open.
[[nodiscard]] std::optional<std::int64_t> least_of(const std::vector<const Machine*>& machines,
                                                   std::string_view resource) {
  std::optional<std::int64_t> least;
  for (const Machine* machine : machines) {
    const auto amount = machine->most(resource);
    if (!amount) return std::nullopt;
    least = least ? std::min(*least, *amount) : *amount;
  }
  return least;
}

void check_limits(const Corpus& corpus, const NodePool& pool, const MachineSet& set,
                  Reporter& reporter) {
  for (const ResourceEntry& limit : read_resource_list(pool.node.at("spec", "limits"))) {
    const auto least = least_of(set.machines, limit.name.value);
    if (!least || !limit.amount.is_known()) continue;
    const bool is_cpu = limit.name.value == "cpu";
    const std::int64_t most =
        is_cpu ? limit.amount.value().milli_value() : limit.amount.value().value();
    if (most <= 0 || most >= *least) continue;  // zero closes a pool on purpose
    const std::int64_t whole = is_cpu ? *least / 1000 : *least;
    Finding finding =
        reporter
            .report(limit.amount.node(), "the limit of {} `{}` is less than one machine of {} has",
                    limit.amount.node().text(), limit.name.value, describe(pool))
            .help("Karpenter counts whole machines, and of {} the least has {}: it makes none",
                  describe(set.machines), whole);
    if (limit.name.value == "memory") continue;  // people write it in other units
    finding.fix(Safety::unsafe, fmt::format("allow one machine: `{}`", whole),
                limit.amount.node().style() == Style::plain
                    ? replace_raw(*corpus.sources, limit.amount.node(), std::to_string(whole))
                    : replace_string(*corpus.sources, limit.amount.node(), std::to_string(whole)));
  }
}

}  // namespace

void report_missing_machines(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const KarpenterPool& karpenter = *pool.karpenter;
  bool is_told = false;
  for (const SelectorRequirement& requirement : karpenter.stated) {
    is_told = report_gpu_names(corpus, requirement, reporter) ||
              report_types(requirement, reporter) || is_told;
  }
  if (is_told || !karpenter.invalid.empty() || karpenter.requirements.is_open()) return;
  const MachineSet set = machines_left(karpenter.requirements);
  if (!set.is_closed) return;
  if (set.machines.empty()) return report_empty(pool, reporter);
  check_limits(corpus, pool, set, reporter);
}

}  // namespace gpulint::rules::refused_node_pool

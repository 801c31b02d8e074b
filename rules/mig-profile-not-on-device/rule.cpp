#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/partitions.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::mig_profile_not_on_device {
namespace {

/// The label's value where the node has exactly that; null otherwise.
[[nodiscard]] const PoolLabel* find_stated(const NodePool& pool, std::string_view key) {
  const auto found = std::ranges::find_if(pool.labels, [&](const PoolLabel& label) {
    return label.key == key && label.has_one_value();
  });
  return found == pool.labels.end() ? nullptr : &*found;
}

/// The key of a MIG device that the entry makes and none of the GPUs has; null otherwise.
[[nodiscard]] Node find_foreign(const MigConfigEntry& entry,
                                const std::vector<const MigGpu*>& gpus) {
  if (!entry.mig_enabled || entry.opaque_filter) return {};
  const std::vector<const MigGpu*> acted_on = gpus_of_entry(entry);
  const auto is_acted_on = [&](const MigGpu* gpu) {
    return std::ranges::find(acted_on, gpu) != acted_on.end();
  };
  if (!std::ranges::all_of(gpus, is_acted_on)) return {};
  for (const Node::Entry& device : entry.mig_devices_node.entries()) {
    const auto profile = parse_mig_profile(device.key.text());
    if (!profile || device.key.is_opaque() || !is_known_profile(profile->instance_name())) continue;
    const std::string name = profile->instance_name();
    if (std::ranges::none_of(gpus, [&](const MigGpu* gpu) { return has_profile(*gpu, name); })) {
      return device.key;
    }
  }
  return {};
}

/// The layouts of that name in all configurations; empty if one of them is unknown.
[[nodiscard]] std::vector<MigNamedConfig> find_defined(const Corpus& corpus,
                                                       std::string_view name) {
  std::vector<MigNamedConfig> found;
  for (const MigConfigFile& file : corpus.mig_configs) {
    if (file.opaque) return {};
    if (const MigNamedConfig* const named = file.find(name)) found.push_back(*named);
  }
  return found;
}

/// `A100-40GB`, `A100-80GB and H100-80GB`, `A30, A100-40GB and H100-80GB`.
[[nodiscard]] std::string names_of(const std::vector<const MigGpu*>& gpus) {
  std::string names;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (i > 0) names += i + 1 < gpus.size() ? ", " : " and ";
    names += gpus[i]->name;
  }
  return names;
}

/// Reports a layout of the pool's nodes (`nvidia.com/mig.config`) with a profile that their GPUs do
/// not have. Only if one configuration defines it: of several, another may be the nodes'.
void check_defined_layout(const Corpus& corpus, Reporter& reporter, const NodePool& pool) {
  const PoolLabel* const asked = find_stated(pool, "nvidia.com/mig.config");
  const PoolLabel* const product = find_stated(pool, product_label);
  if (asked == nullptr || product == nullptr) return;
  const auto gpus = mig_gpus_of_product(whole_product(product->values.front()));
  const auto defined = find_defined(corpus, asked->values.front());
  if (gpus.empty() || defined.size() != 1) return;
  for (const MigConfigEntry& entry : defined.front().entries) {
    const Node foreign = find_foreign(entry, gpus);
    if (!foreign) continue;
    reporter
        .report(value_node(*asked), "{} requests the MIG layout `{}`, but `{}` has no profile `{}`",
                describe(pool), asked->values.front(), whole_product(product->values.front()),
                foreign.text())
        .related(foreign, fmt::format("layout `{}` uses this profile", asked->values.front()))
        .related(value_node(*product), fmt::format("{} has this GPU model", describe(pool)))
        .help(
            "use a profile of this GPU model, because `{}` is for {}. Otherwise MIG "
            "manager reports success, but creates no device",
            foreign.text(),
            names_of(gpus_with_profile(parse_mig_profile(foreign.text())->instance_name())));
    return;
  }
}

/// The profile in the spelling of the place.
[[nodiscard]] std::string spell(const PartitionUse& use, std::string_view profile) {
  switch (use.form) {
    case PartitionUse::Form::resource:
      return fmt::format("nvidia.com/mig-{}", label_form(profile));
    case PartitionUse::Form::task:
      return std::string(profile);
    case PartitionUse::Form::layout:
      return fmt::format("all-{}", label_form(profile));
    case PartitionUse::Form::label:
    case PartitionUse::Form::product:
      break;
  }
  return label_form(profile);
}

void report(const Corpus& corpus, Reporter& reporter, const PartitionUse& use,
            const PartitionVerdict& verdict) {
  const Value<std::string>& device = use.devices.front();
  const bool is_layout = use.form == PartitionUse::Form::layout;
  const std::string_view model = whole_product(device.value);
  const std::string lacks = verdict.allowed.empty()
                                ? fmt::format("`{}` has no profile `{}`", model, *use.profile)
                                : fmt::format("GKE does not offer this partition on `{}`", model);
  Finding finding = reporter.report(use.place, "{} {} the {} `{}`, but {}", use.who,
                                    use.is_of_node && !is_layout ? "has" : "requests",
                                    is_layout ? "MIG layout" : "partition", use.text, lacks);
  if (device.node != use.place) {
    const bool is_named = device.node.text() == model;
    finding.related(device.node,
                    fmt::format("{} {} {}", use.who, use.is_of_node ? "has" : "requests",
                                is_named ? std::string("this GPU model")
                                         : fmt::format("the GPU model `{}`", model)));
  }
  const auto meant = nearest_profile(*use.profile, verdict);
  const std::string text = meant ? spell(use, *meant) : "";
  // A Node's label describes its actual state.
  const bool is_mended =
      meant && use.place.text() == use.text && (!use.is_of_node || (is_layout && use.is_declared));
  if (verdict.allowed.empty()) {
    const std::string models = names_of(gpus_with_profile(*use.profile));
    if (is_layout) {
      finding.help(
          "use a layout of this GPU model{}, because `{}` is for {}. Otherwise MIG "
          "manager reports success, but creates no device",
          meant && !is_mended ? fmt::format(" such as `{}`", text) : std::string(), *use.profile,
          models);
    } else {
      finding.help("use a MIG profile of this GPU model, because `{}` is for {}", *use.profile,
                   models);
    }
  } else {
    finding.help("use a partition size that GKE offers on this GPU model: `{}`",
                 fmt::join(verdict.allowed, "`, `"));
  }
  if (!is_mended) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", text),
              replace_string(*corpus.sources, use.place, text));
}

/// Entries of a MIG manager's file that select their GPUs by identifier.
void check_config(const Corpus& corpus, Reporter& reporter, const MigConfigFile& file) {
  for (const MigConfigProblem& problem : file.problems) {
    const Node at = problem.node.key();
    if (problem.kind != MigConfigProblem::Kind::unknown_profile || !at) continue;
    const auto profile = parse_mig_profile(at.text());
    if (!profile || !is_known_profile(profile->instance_name())) continue;
    const Node filter = problem.node.parent().parent().get("device-filter");
    Finding finding = reporter.report(
        at, "`{}` is not a profile of the GPUs that the device filter selects", at.text());
    finding.related(filter, "this device filter selects the GPUs")
        .help(
            "use a profile of these GPUs, because `{}` is for {}. Otherwise mig-parted "
            "reports success, but creates no device",
            at.text(), names_of(gpus_with_profile(profile->instance_name())));
    if (problem.detail.empty()) continue;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", problem.detail),
                replace_string(*corpus.sources, at, problem.detail));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> reported;
  for (const PartitionUse& use : find_partition_uses(corpus)) {
    const PartitionVerdict verdict = check_partition(use);
    if (verdict.fit != PartitionFit::not_there) continue;
    if (!reported.emplace(use.place.document(), use.place.index()).second) continue;
    report(corpus, reporter, use, verdict);
  }
  for (const MigConfigFile& file : corpus.mig_configs) check_config(corpus, reporter, file);
  for (const NodePool& pool : corpus.cluster.pools) check_defined_layout(corpus, reporter, pool);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::mig_profile_not_on_device

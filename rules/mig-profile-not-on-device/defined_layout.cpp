#include "rules/mig-profile-not-on-device/defined_layout.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/mig_config.h"
#include "compiler/model/mig_profile.h"
#include "compiler/model/product_label.h"
#include "rules/support/causes.h"
#include "rules/support/partitions.h"

namespace gpulint::rules::mig_profile_not_on_device {
namespace {

/// The label's value where the node has exactly that; null otherwise.
[[nodiscard]] const PoolLabel* find_stated(const NodePool& pool, std::string_view key) {
  const auto found = std::ranges::find_if(pool.labels, [&](const PoolLabel& label) {
    return label.key == key && label.known == PoolLabel::Known::exact && label.values.size() == 1;
  });
  return found == pool.labels.end() ? nullptr : &*found;
}

/// The key of a MIG device that the entry makes and none of the GPUs has; nothing otherwise.
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

/// The layouts of that name in all configurations; empty where one of them is open.
[[nodiscard]] std::vector<MigNamedConfig> find_defined(const Corpus& corpus,
                                                       std::string_view name) {
  std::vector<MigNamedConfig> found;
  for (const MigConfigFile& file : corpus.mig_configs) {
    if (file.opaque) return {};
    if (const MigNamedConfig* const named = file.find(name)) found.push_back(*named);
  }
  return found;
}

}  // namespace

std::string names_of(const std::vector<const MigGpu*>& gpus) {
  std::vector<std::string_view> names;
  for (const MigGpu* gpu : gpus) names.push_back(gpu->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

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
        .report(value_node(*asked),
                "{} asks for the MIG layout `{}` with `{}`, which `{}` does not have",
                describe(pool), asked->values.front(), foreign.text(),
                whole_product(product->values.front()))
        .related(foreign, "in the layout")
        .related(value_node(*product), "the GPU")
        .help("`{}` is a profile of {}; MIG manager makes no device and reports success",
              foreign.text(),
              names_of(gpus_with_profile(parse_mig_profile(foreign.text())->instance_name())));
    return;
  }
}

}  // namespace gpulint::rules::mig_profile_not_on_device

#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/flyte_key_catalog.h"

namespace gpulint::rules::flyte_version_key {
namespace {

[[nodiscard]] const FlytePluginKey* find_folded(std::string_view key) {
  const auto keys = flyte_plugin_keys();
  const auto at = std::ranges::find_if(
      keys, [&](const FlytePluginKey& known) { return equal_fold(known.key, key); });
  return at == keys.end() ? nullptr : &*at;
}

/// Keys that only the other release knows.
void check_unknown(Reporter& reporter, const flyte::LoadedRelease& loaded) {
  constexpr std::string_view section = "plugins.k8s.";
  const bool is_v1 = loaded.version == FlyteVersion::v1;
  for (const flyte::UnknownKey& unknown : loaded.propeller.unknown_keys) {
    if (!unknown.path.starts_with(section) || !unknown.key_node) continue;
    const FlytePluginKey* known =
        find_folded(std::string_view(unknown.path).substr(section.size()));
    if (known == nullptr || (is_v1 ? known->in_v1 : known->in_v2)) continue;
    reporter
        .report(unknown.key_node, "Flyte {} does not know `{}`, a key of Flyte {}", is_v1 ? 1 : 2,
                unknown.key_node.text(), is_v1 ? 2 : 1)
        .help(
            "remove the key, because Flyte {} ignores the key. Or run gpulint with "
            "`--flyte-version {}`, if the file is for Flyte {}",
            is_v1 ? 1 : 2, is_v1 ? 2 : 1, is_v1 ? 2 : 1);
  }
}

/// Keys that still work and have a successor.
void check_deprecated(Reporter& reporter, const flyte::LoadedRelease& loaded) {
  const bool is_v1 = loaded.version == FlyteVersion::v1;
  for (const FlytePluginKey& known : flyte_plugin_keys()) {
    if (!(is_v1 ? known.deprecated_in_v1 : known.deprecated_in_v2)) continue;
    const Node value = loaded.propeller.find_setting("plugins.k8s." + std::string(known.key));
    if (!value || value.is_null() || (!value.is_scalar() && value.size() == 0)) continue;
    Finding finding = reporter.report_key(value, "`{}` is deprecated", known.key);
    const std::string successor = std::string(known.key) + "-requirement";
    if (find_folded(successor) != nullptr) {
      finding.help("use `{}` instead", successor);
    } else if (!is_v1 && known.key.starts_with("gpu-")) {
      finding.help(
          "use `accelerator-device-classes` instead, with this setting for each device class");
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    check_unknown(reporter, installation.loaded);
    check_deprecated(reporter, installation.loaded);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::flyte_version_key

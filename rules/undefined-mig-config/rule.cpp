#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/gpu_operator.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::undefined_mig_config {
namespace {

constexpr std::string_view config_label = "nvidia.com/mig.config";

/// The layouts that the scope's configurations define.
struct Layouts {
  std::vector<std::string> names;
  Node where;
  bool is_open = false;  ///< A placeholder may define more.
};

[[nodiscard]] Layouts find_layouts(const Corpus& corpus) {
  Layouts layouts;
  for (const MigConfigFile& file : corpus.mig_configs) {
    layouts.is_open = layouts.is_open || file.opaque;
    if (!layouts.where) layouts.where = file.root.get("mig-configs");
    for (const MigNamedConfig& named : file.configs) layouts.names.push_back(named.name);
  }
  return layouts;
}

void check_name(const Corpus& corpus, Reporter& reporter, const Layouts& layouts, Node at,
                const std::string& name, const std::string& who) {
  if (name.empty() || !at || at.is_opaque()) return;
  if (std::ranges::find(layouts.names, name) != layouts.names.end()) return;
  Finding finding = reporter.report(
      at, "{} selects the MIG layout `{}`, but no MIG configuration defines this layout", who,
      name);
  finding.related(layouts.where, "the MIG configuration defines other layouts here")
      .help(
          "select a defined layout: {}. Otherwise MIG Manager does not change the GPUs, and sets "
          "the label `{}.state` to `failed`",
          list(layouts.names), config_label);
  const std::vector<std::string_view> known(layouts.names.begin(), layouts.names.end());
  const auto meant = nearest(name, known);
  if (!meant || at.text() != name) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, at, *meant));
}

/// `spec` of a ClusterPolicy, or the values of the operator's chart.
void check_default(const Corpus& corpus, Reporter& reporter, const Layouts& layouts, Node parts,
                   const std::string& who) {
  const auto name = read_string(parts.at("migManager", "config"), "default");
  if (name.is_known()) check_name(corpus, reporter, layouts, name.node(), name.value(), who);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Layouts layouts = find_layouts(corpus);
  if (layouts.is_open || layouts.names.empty()) return;
  for (const NodePool& pool : corpus.cluster.pools) {
    for (const PoolLabel& label : pool.labels) {
      if (label.key != config_label || label.known != PoolLabel::Known::exact) continue;
      for (const std::string& name : label.values) {
        check_name(corpus, reporter, layouts, value_node(label), name, describe(pool));
      }
    }
  }
  for (const OperatorSettings& one : gpu_operator_settings(corpus)) {
    check_default(corpus, reporter, layouts, one.settings,
                  one.is_chart ? "the GPU Operator's chart" : "the ClusterPolicy");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::undefined_mig_config

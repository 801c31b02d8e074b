#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "rules/accelerator-table-lost/accelerator_tables.h"
#include "rules/accelerator-table-lost/report_case.h"
#include "rules/support/causes.h"

namespace gpulint::rules::accelerator_table_lost {
namespace {

using flyte::ConfigValue;
using flyte::Installation;

void report_lost(const Corpus& corpus, Reporter& reporter, Node table, const LostEntries& lost) {
  if (lost.names.empty()) return;
  if (lost.tasks.empty()) {
    if (lost.are_tasks_known) return;
    reporter
        .report_key(table, "overriding `{}` drops the built-in {}", table.key().text(),
                    list(lost.names))
        .help("what tasks still use must be listed here, too")
        .severity(Severity::info);
    return;
  }
  Finding finding =
      reporter.report_key(table, "overriding `{}` drops the built-in {}, which {} uses",
                          table.key().text(), list(lost.names), lost.tasks.front());
  finding.related(lost.task_node, "the task").help("{}", lost.consequence);
  if (!table.is_sequence() || lost.lines.empty()) return;
  finding.fix(Safety::unsafe, fmt::format("add {}", list(lost.names)),
              append_item(*corpus.sources, table, lost.lines));
}

void check_devices(const Corpus& corpus, Reporter& reporter, const Installation& installation) {
  const flyte::FlyteConfig& config = installation.loaded.propeller;
  const Node given = config.find_setting("plugins.k8s.accelerator-devices");
  const ConfigValue* table = config.k8s.tree.find("accelerator-devices");
  if (!given || given.is_opaque() || table == nullptr || table->opaque) return;
  if (given.is_mapping()) return report_map(corpus, reporter, given);
  report_lower_case(corpus, reporter, *table);
  const LostEntries lost = find_lost_devices(installation, *table);
  // Built-in values are those of the providers' labels; another label needs a list of its own.
  if (lost.tasks.empty() && config.find_setting("plugins.k8s.gpu-device-node-label")) return;
  report_lost(corpus, reporter, given, lost);
}

void check_classes(const Corpus& corpus, Reporter& reporter, const Installation& installation) {
  const flyte::FlyteConfig& config = installation.loaded.propeller;
  const Node given = config.find_setting("plugins.k8s.accelerator-device-classes");
  const ConfigValue* table = config.k8s.tree.find("accelerator-device-classes");
  if (!given || given.is_opaque() || table == nullptr || table->opaque) return;
  if (given.size() > 0)
    report_lost(corpus, reporter, given, find_lost_classes(installation, *table));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Installation& installation : corpus.flyte->installations) {
    if (installation.loaded.version != FlyteVersion::v2) continue;
    check_devices(corpus, reporter, installation);
    check_classes(corpus, reporter, installation);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "accelerator-table-lost",
             .category = "flyte",
             .summary = "Overriding Flyte 2's accelerator tables drops built-in entries, or adds "
                        "some that never match.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::accelerator_table_lost

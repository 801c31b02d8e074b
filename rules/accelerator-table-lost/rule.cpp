#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "rules/support/accelerator_tables.h"
#include "rules/support/causes.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

using flyte::ConfigEntry;
using flyte::ConfigValue;
using flyte::Installation;

/// `KEY: value` lines of a mapping as `- KEY: value` items with the keys in upper case.
[[nodiscard]] std::vector<Edit> make_list(const SourceSet& sources, Node mapping) {
  std::vector<Edit> edits;
  for (const auto& [key, value] : mapping.entries()) {
    std::vector<Edit> edit = replace_string(sources, key, to_upper(key.text()));
    if (mapping.style() != Style::block || key.text() == "<<" || edit.size() != 1) return {};
    edit.front().text.insert(0, "- ");
    edits.push_back(edit.front());
  }
  return edits;
}

/// The map form, in which Flyte lower-cases every key.
void report_map(const Corpus& corpus, Reporter& reporter, Node table) {
  const std::vector<Node::Entry> entries = table.entries();
  if (entries.empty()) return;
  reporter
      .report_key(table, "no entry of `{}` can match: Flyte lower-cases the keys of a map",
                  table.key().text())
      .related(entries.front().key, "looked up in upper case")
      .help("the list form `- {}: {}` keeps the case; the built-in entries are dropped either way",
            to_upper(entries.front().key.text()), entries.front().value.text())
      .fix(Safety::unsafe, "write a list", make_list(*corpus.sources, table));
}

void report_lower_case(const Corpus& corpus, Reporter& reporter, const ConfigValue& table) {
  for (const ConfigEntry& entry : table.entries) {
    const std::string upper = to_upper(entry.key);
    const Node key = entry.key_node;
    if (upper == entry.key || !key || key.is_opaque()) continue;
    Finding finding = reporter.report(
        key, "`{}` can never match: devices are looked up in upper case", entry.key);
    if (table.find(upper) != nullptr || !entry.value.node) continue;
    finding.fix(Safety::unsafe, fmt::format("rename to `{}`", upper),
                replace_string(*corpus.sources, key, upper));
  }
}

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

extern constinit const Rule accelerator_table_lost;
constinit const Rule accelerator_table_lost{
    .info = {.id = "accelerator-table-lost",
             .category = "flyte",
             .summary = "Overriding Flyte 2's accelerator tables drops built-in entries, or adds "
                        "some that never match.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules

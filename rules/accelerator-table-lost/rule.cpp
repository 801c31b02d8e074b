#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/config_value.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::accelerator_table_lost {
namespace {

/// Built-in entries of a Flyte 2 table that the configuration drops. If declared tasks need some,
/// only those.
struct LostEntries {
  std::vector<std::string> names;
  bool are_tasks_known = false;    ///< Tasks with accelerators are declared.
  std::vector<std::string> tasks;  ///< Those that need an entry, as ``task `train` ``.
  Node task_node;                  ///< Of the first task; may be null.
  std::string consequence;         ///< What happens to the first task.
  std::vector<std::string> lines;  ///< `KEY: value` of the first name, as an item of a list.
};

struct DeclaredAccelerator {
  const flyte::Task* task = nullptr;
  const flyte::TaskAccelerator* accelerator = nullptr;
};

[[nodiscard]] std::vector<DeclaredAccelerator> declared(const flyte::Installation& installation) {
  std::vector<DeclaredAccelerator> result;
  for (const flyte::Task& task : installation.tasks) {
    if (task.assumed || !task.problem.empty() || !task.accelerator) continue;
    result.push_back({&task, &*task.accelerator});
  }
  return result;
}

void add_task(const DeclaredAccelerator& user, LostEntries& lost) {
  if (lost.tasks.empty()) lost.task_node = user.accelerator->node;
  lost.tasks.push_back(fmt::format("task `{}`", user.task->name));
}

/// Without an entry the device's name is the label value, so only entries that differ count.
[[nodiscard]] bool says_more(const BackendDevice& device) {
  return device.reachable && !equal_fold(device.key, device.label_value);
}

/// Lost entries of `accelerator-devices`: devices whose name is not the label value.
[[nodiscard]] LostEntries find_lost_devices(const flyte::Installation& installation,
                                            const flyte::ConfigValue& table) {
  LostEntries lost;
  const std::vector<DeclaredAccelerator> users = declared(installation);
  lost.are_tasks_known = !users.empty();
  for (const BackendDevice& device : flyte2_backend_devices()) {
    if (!says_more(device) || table.find(device.key) != nullptr) continue;
    const auto uses = [&](const DeclaredAccelerator& user) {
      return to_upper(user.accelerator->device.value) == device.key;
    };
    const auto user = std::ranges::find_if(users, uses);
    if (users.empty()) lost.names.emplace_back(device.key);
    if (user == users.end()) continue;
    if (lost.names.empty()) {
      lost.consequence =
          fmt::format("the pods of task `{}` require the label value `{}` instead of `{}`",
                      user->task->name, user->accelerator->device.value, device.label_value);
      lost.lines.push_back(fmt::format("{}: {}", device.key, device.label_value));
    }
    lost.names.emplace_back(device.key);
    add_task(*user, lost);
  }
  if (lost.names.size() > 1) lost.lines.clear();
  return lost;
}

/// Lost entries of `accelerator-device-classes`.
[[nodiscard]] LostEntries find_lost_classes(const flyte::Installation& installation,
                                            const flyte::ConfigValue& table) {
  LostEntries lost;
  const std::vector<DeclaredAccelerator> users = declared(installation);
  lost.are_tasks_known = !users.empty();
  const flyte::ConfigValue defaults = flyte::k8s_plugin_defaults(FlyteVersion::v2);
  for (const flyte::ConfigEntry& entry : defaults.find("accelerator-device-classes")->entries) {
    // Without its class an NVIDIA GPU falls back to the general settings, which are the same.
    if (entry.key == "NVIDIA_GPU" || table.find(entry.key) != nullptr) continue;
    const auto uses = [&](const DeclaredAccelerator& user) {
      return user.accelerator->device_class == entry.key;
    };
    const auto user = std::ranges::find_if(users, uses);
    if (users.empty()) lost.names.push_back(entry.key);
    if (user == users.end()) continue;
    if (lost.names.empty()) {
      lost.consequence = fmt::format("the pods of task `{}` do not request `{}`", user->task->name,
                                     entry.value.find("resource-name")->text);
    }
    lost.names.push_back(entry.key);
    add_task(*user, lost);
  }
  return lost;
}

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

/// Reports a table in the map form, in which Flyte lower-cases every key.
void report_map(const Corpus& corpus, Reporter& reporter, Node table) {
  const std::vector<Node::Entry> entries = table.entries();
  if (entries.empty()) return;
  reporter
      .report_key(table,
                  "Flyte finds no entry of `{}`, because Flyte changes keys of a map to lower case",
                  table.key().text())
      .related(
          entries.front().key,
          fmt::format("Flyte reads this key as `{}`, but searches for `{}`",
                      to_lower(entries.front().key.text()), to_upper(entries.front().key.text())))
      .help(
          "write the table as a list, such as `- {}: {}`. Also add Flyte's built-in entries that "
          "your tasks use, because your list replaces all of them",
          to_upper(entries.front().key.text()), entries.front().value.text())
      .fix(Safety::unsafe, "write the table as a list with keys in upper case",
           make_list(*corpus.sources, table));
}

/// Reports entries of a list whose keys are not in upper case, in which devices are looked up.
void report_lower_case(const Corpus& corpus, Reporter& reporter, const flyte::ConfigValue& table) {
  for (const flyte::ConfigEntry& entry : table.entries) {
    const std::string upper = to_upper(entry.key);
    const Node key = entry.key_node;
    if (upper == entry.key || !key || key.is_opaque()) continue;
    Finding finding = reporter.report(
        key, "key `{}` never matches, because Flyte searches for devices in upper case", entry.key);
    if (table.find(upper) != nullptr || !entry.value.node) continue;
    finding.fix(Safety::unsafe, fmt::format("rename to `{}`", upper),
                replace_string(*corpus.sources, key, upper));
  }
}

using flyte::ConfigValue;

using flyte::Installation;

[[nodiscard]] std::string_view entries_of(const LostEntries& lost) {
  return lost.names.size() == 1 ? "entry" : "entries";
}

void report_lost(const Corpus& corpus, Reporter& reporter, Node table, const LostEntries& lost) {
  if (lost.names.empty()) return;
  if (lost.tasks.empty()) {
    if (lost.are_tasks_known) return;
    reporter
        .report_key(table, "`{}` drops the built-in {} {}", table.key().text(), entries_of(lost),
                    list(lost.names))
        .help("add to `{}` each built-in entry that your tasks use", table.key().text())
        .severity(Severity::info);
    return;
  }
  const std::string users =
      lost.tasks.size() == 1 ? lost.tasks.front() + " uses" : "declared tasks use";
  const std::string_view one = lost.names.size() == 1 ? "this entry" : "these entries";
  Finding finding =
      reporter.report_key(table, "`{}` drops the built-in {} {}, but {} {}", table.key().text(),
                          entries_of(lost), list(lost.names), users, one);
  finding.related(lost.task_node, fmt::format("the accelerator of {}", lost.tasks.front()));
  std::vector<Edit> edits;
  if (table.is_sequence() && !lost.lines.empty()) {
    edits = append_item(*corpus.sources, table, lost.lines);
  }
  if (edits.empty()) {
    finding.help("copy the built-in {} {} to `{}`. Otherwise {}", entries_of(lost),
                 list(lost.names), table.key().text(), lost.consequence);
    return;
  }
  finding.help("{}", lost.consequence)
      .fix(Safety::unsafe, fmt::format("add `{}`", lost.lines.front()), std::move(edits));
}

void check_devices(const Corpus& corpus, Reporter& reporter, const Installation& installation) {
  const flyte::FlyteConfig& config = installation.loaded.propeller;
  const Node given = config.find_setting("plugins.k8s.accelerator-devices");
  const ConfigValue* table = config.k8s.tree.find("accelerator-devices");
  if (!given || given.is_opaque() || table == nullptr || table->opaque) return;
  if (given.is_mapping()) return report_map(corpus, reporter, given);
  report_lower_case(corpus, reporter, *table);
  const LostEntries lost = find_lost_devices(installation, *table);
  // Built-in values suit the providers' labels; another label needs its own list.
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

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::accelerator_table_lost

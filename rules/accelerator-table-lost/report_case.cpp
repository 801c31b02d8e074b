#include "rules/accelerator-table-lost/report_case.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules::accelerator_table_lost {
namespace {

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

}  // namespace

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

void report_lower_case(const Corpus& corpus, Reporter& reporter, const flyte::ConfigValue& table) {
  for (const flyte::ConfigEntry& entry : table.entries) {
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

}  // namespace gpulint::rules::accelerator_table_lost

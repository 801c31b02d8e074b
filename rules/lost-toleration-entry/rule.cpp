#include "compiler/engine/rule.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"

namespace gpulint::rules::lost_toleration_entry {
namespace {

/// Appends the items of the lost list to the one that takes effect, then removes the lost entry.
[[nodiscard]] std::vector<Edit> merge(const Corpus& corpus, Node lost, Node kept) {
  std::vector<Edit> edits = append_items_of(*corpus.sources, kept, lost);
  const Node entry = lost.parent().size() == 1 ? lost.parent() : lost;
  const std::vector<Edit> removed = remove_entry(*corpus.sources, entry);
  if (edits.empty() || removed.empty()) return {};
  edits.insert(edits.end(), removed.begin(), removed.end());
  return edits;
}

void check_list(const Corpus& corpus, Reporter& reporter, Node list) {
  std::unordered_map<std::string_view, Node> last;
  for (const Node item : list.children()) {
    for (const auto& [key, value] : item.entries()) {
      // A toleration without its resource; flyte-value-type reports it.
      if (key.is_opaque() || value.resolved().is_scalar()) continue;
      const auto [at, is_new] = last.try_emplace(key.text(), value);
      if (is_new) continue;
      std::vector<Edit> edits = merge(corpus, at->second, value);
      Finding finding = reporter.report(
          at->second.key(),
          "Flyte ignores these tolerations, because a later entry for `{}` replaces them",
          key.text());
      finding.related(key, "this later entry replaces the tolerations");
      if (edits.empty()) {
        finding.help(
            "write all tolerations of `{}` into one entry. Otherwise Flyte keeps only the last "
            "entry for each resource",
            key.text());
      } else {
        finding
            .help(
                "Flyte keeps only the last entry for each resource, because Flyte turns the list "
                "into a map")
            .fix(Safety::safe, "move these tolerations to the later entry", std::move(edits));
      }
      at->second = value;
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const Node list =
        installation.loaded.propeller.find_setting("plugins.k8s.resource-tolerations");
    if (list.is_sequence()) check_list(corpus, reporter, list);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::lost_toleration_entry

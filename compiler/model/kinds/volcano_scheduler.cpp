#include "compiler/model/kinds/volcano_scheduler.h"

#include <algorithm>
#include <utility>

namespace gpulint {

Node VolcanoScheduler::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(plugins, [&](Node plugin) { return plugin.get("name").text() == name; });
  return found == plugins.end() ? Node{} : *found;
}

Node VolcanoScheduler::find_switch(std::string_view end) const {
  for (const Node plugin : plugins) {
    for (const Node::Entry& entry : plugin.get("arguments").fields()) {
      if (entry.key.text().ends_with(end) && entry.value.text() == "true") return entry.value;
    }
  }
  return {};
}

std::vector<VolcanoScheduler> find_volcano_schedulers(
    const std::vector<const Document*>& documents) {
  std::vector<VolcanoScheduler> found;
  for (const Document* document : documents) {
    const Node tiers = root(*document).get("tiers");
    if (!document->errors.empty() || !tiers.is_sequence() || !root(*document).get("actions")) {
      continue;
    }
    if (any_below(tiers, [](Node node) { return node.is_opaque(); })) continue;
    VolcanoScheduler scheduler{tiers, {}};
    for (const Node tier : tiers.items()) {
      for (const Node plugin : tier.get("plugins").items()) scheduler.plugins.push_back(plugin);
    }
    found.push_back(std::move(scheduler));
  }
  return found;
}

}  // namespace gpulint

#include "compiler/model/kinds/referring_nodes.h"

#include <string>

#include "compiler/ir/field_path.h"

namespace gpulint {

std::vector<Node> referring_nodes(Node object, const Workload* workload, std::string_view path) {
  constexpr std::string_view selector = "pod.nodeSelector[";
  std::vector<Node> found;
  if (path.starts_with(selector)) {  // a workflow or an operator may add labels
    for (const LabelEntry& label : workload->pod.node_selector) {
      const bool is_it = path.substr(selector.size()) == label.key.value + "]";
      if (is_it && label.value.node()) found.push_back(label.value.node());
    }
    return found;
  }
  const std::string_view start = path.substr(0, path.find('.') + 1);
  const bool is_of_pod = start == "pod." || start == "template.";
  if (is_of_pod) path.remove_prefix(start.size());
  for_each_at(!is_of_pod        ? object
              : start == "pod." ? workload->pod.node
                                : workload->template_node,
              path, [&](Node at) { found.push_back(at); });
  return found;
}

}  // namespace gpulint

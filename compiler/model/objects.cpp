#include "compiler/model/objects.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

constexpr std::string_view list_suffix = "List";
/// Limit of nested lists.
constexpr int max_list_depth = 4;

[[nodiscard]] bool is_list(const KubernetesObject& object) {
  return object.kind.is_known() && object.kind.value().ends_with(list_suffix) &&
         object.node.get("items").is_sequence();
}

void collect_objects(KubernetesObject object, int depth, std::vector<KubernetesObject>& found) {
  if (!is_list(object) || depth == max_list_depth) {
    found.push_back(std::move(object));
    return;
  }
  const std::string& list_kind = object.kind.value();
  const std::string item_kind = list_kind.substr(0, list_kind.size() - list_suffix.size());
  for (const Node item : object.node.get("items").items()) {
    if (!item.is_mapping()) continue;
    KubernetesObject inner{item, read_string(item, "apiVersion"), read_string(item, "kind")};
    if (inner.kind.is_absent() && !item_kind.empty()) {
      inner.kind = Field<std::string>::known(item_kind, object.kind.node());
    }
    collect_objects(std::move(inner), depth + 1, found);
  }
}

}  // namespace

std::vector<KubernetesObject> find_objects(Node document_root) {
  std::vector<KubernetesObject> found;
  const Node root = document_root.resolved();
  if (!root.is_mapping()) return found;
  collect_objects({root, read_string(root, "apiVersion"), read_string(root, "kind")}, 0, found);
  return found;
}

std::string object_name(Node object) {
  const Node metadata = object.get("metadata");
  const Field<std::string> name = read_string(metadata, "name");
  if (name.is_known()) return name.value();
  const Field<std::string> prefix = read_string(metadata, "generateName");
  return prefix.is_known() ? prefix.value() + "*" : std::string{};
}

std::string object_namespace(Node object) {
  return read_string(object.get("metadata"), "namespace").value_or("default");
}

}  // namespace gpulint

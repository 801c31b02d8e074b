#include "rules/misspelt-reference/surroundings.h"

#include <algorithm>
#include <set>

#include "compiler/ir/read.h"
#include "rules/support/dra_queries.h"

namespace gpulint::rules::misspelt_reference {

Names request_names(const KubernetesObject& object) {
  const Node spec = object.node.get("spec");
  const Node inner = object.kind.equals("ResourceClaimTemplate") ? spec.get("spec") : spec;
  Names names;
  for (const Node request : inner.at("devices", "requests").items()) {
    const Field<std::string> name = read_string(request, "name");
    if (!name.is_known()) return {};
    names.push_back({name.value(), name.node()});
  }
  return names;
}

std::set<std::string, std::less<>> names_of_claims(const Corpus& corpus) {
  std::set<std::string, std::less<>> names;
  for (const Workload& workload : corpus.workloads) {
    for (const Node claim : workload.pod.node.get("resourceClaims").items()) {
      for (const std::string_view key : {"resourceClaimName", "resourceClaimTemplateName"}) {
        const Field<std::string> name = read_string(claim, key);
        if (name.is_known()) names.insert(name.value());
      }
    }
  }
  return names;
}

bool is_own_class(std::string_view name) {
  return std::ranges::any_of(dra_device_classes(),
                             [&](const DraDeviceClass& own) { return own.name == name; });
}

bool has_classes_of_cluster(const Corpus& corpus) {
  std::set<const Document*> lists;
  std::set<const Document*> with_slices;
  for (const KubernetesObject& object : corpus.objects) {
    const Document* document = object.node.document();
    if (object.node == root(*document)) continue;
    if (object.kind.equals("ResourceSlice")) with_slices.insert(document);
    if (!object.kind.equals("DeviceClass")) continue;
    lists.insert(document);
    if (object.node.at("metadata", "uid")) with_slices.insert(document);
  }
  return std::ranges::any_of(lists, [&](auto* list) { return with_slices.contains(list); });
}

}  // namespace gpulint::rules::misspelt_reference

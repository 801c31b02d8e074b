#include "compiler/model/scope/document_facts.h"

#include <utility>

#include "compiler/ir/node.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/pod_templates.h"

namespace gpulint {

DocumentFacts read_facts(const Document& document, const DeclaredKinds* declared) {
  if (!document.errors.empty() || is_pod_spec_patch(document)) return {};
  std::vector<KubernetesObject> objects = find_objects(root(document));
  std::vector<Workload> workloads = find_pod_templates(objects, declared);
  return {std::move(objects), std::move(workloads)};
}

const DocumentFacts& FactStore::of(const Document& document) const {
  if (const DocumentFacts* const known = find(document)) return *known;
  auto facts = std::make_unique<const DocumentFacts>(read_facts(document, kinds_.get()));
  const std::lock_guard lock(mutex_);
  return *facts_.try_emplace(&document, std::move(facts)).first->second;
}

const DocumentFacts* FactStore::find(const Document& document) const {
  const std::lock_guard lock(mutex_);
  const auto found = facts_.find(&document);
  return found == facts_.end() ? nullptr : found->second.get();
}

void FactStore::forget(const Document& document) {
  const std::lock_guard lock(mutex_);
  facts_.erase(&document);
}

}  // namespace gpulint

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The facts of one document by itself, independent of other documents.
struct DocumentFacts {
  std::vector<KubernetesObject> objects;
  std::vector<Workload> workloads;  ///< Pods that these objects create.
};

/// Empty for a document with syntax errors, and for a patch of a pod. `declared`: kinds of
/// gpulint.yaml; may be null.
[[nodiscard]] DocumentFacts read_facts(const Document& document, const DeclaredKinds* declared);

/// The facts of documents, each read once. Several threads may use it.
class FactStore {
 public:
  /// Reads the facts on the first call. The document must outlive the store, or forget() must be
  /// called before it ends.
  [[nodiscard]] const DocumentFacts& of(const Document& document) const;
  /// Null if the facts were not read.
  [[nodiscard]] const DocumentFacts* find(const Document& document) const;
  /// Before the first of().
  void declare(std::shared_ptr<const DeclaredKinds> kinds) { kinds_ = std::move(kinds); }
  /// Invalidates what of() returned for the document.
  void forget(const Document& document);

 private:
  std::shared_ptr<const DeclaredKinds> kinds_;
  mutable std::mutex mutex_;
  mutable std::map<const Document*, std::unique_ptr<const DocumentFacts>> facts_;
};

}  // namespace gpulint

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

/// What one document says by itself, whatever other documents add.
struct DocumentFacts {
  std::vector<KubernetesObject> objects;
  std::vector<Workload> workloads;  ///< Pods that these objects create.
};

/// Nothing of a document with syntax errors, or of a patch of a pod. `declared`: kinds of
/// gpulint.yaml; may be null.
[[nodiscard]] DocumentFacts read_facts(const Document& document, const DeclaredKinds* declared);

/// The facts of documents, each read once. Several threads may use it.
class FactStore {
 public:
  /// Reads the facts if nothing has asked for them before. The document must outlive the store, or
  /// forget() must come first.
  [[nodiscard]] const DocumentFacts& of(const Document& document) const;
  /// Null if nothing has asked for them.
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

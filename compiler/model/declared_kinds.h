#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Whether for_each_at() can follow the path: no empty key, and brackets only at the end of a key.
[[nodiscard]] bool is_field_path(std::string_view path);

/// Rows that gpulint.yaml adds to those of facts/kinds.json (`kinds`).
class DeclaredKinds {
 public:
  /// `entries`: valid ones, checked by engine/config.h. Views point into their document.
  explicit DeclaredKinds(std::span<const Node> entries);
  DeclaredKinds(const DeclaredKinds&) = delete;
  DeclaredKinds& operator=(const DeclaredKinds&) = delete;

  [[nodiscard]] const std::deque<KindFacts>& rows() const { return rows_; }
  /// Null if there is none.
  [[nodiscard]] const KindFacts* find(std::string_view api_version, std::string_view kind) const;

 private:
  [[nodiscard]] std::span<const std::string_view> texts(Node list);

  std::deque<KindFacts> rows_;
  std::deque<std::vector<std::string_view>> texts_;
  std::deque<std::vector<PodFacts>> pods_;
  std::deque<std::vector<KindReference>> references_;
};

/// The row of the object's group and kind, a declared one first; an empty one if there is none.
/// `declared` may be null.
[[nodiscard]] const KindFacts& facts_of(const KubernetesObject& object,
                                        const DeclaredKinds* declared);

/// The row of the workload's kind: the declared one, else the first of this kind in any group.
[[nodiscard]] const KindFacts& facts_of(const Workload& workload);

}  // namespace gpulint

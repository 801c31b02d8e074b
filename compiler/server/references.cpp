#include "compiler/server/references.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/kinds/referring_nodes.h"
#include "compiler/model/named_objects.h"
#include "compiler/server/ranges.h"

namespace gpulint::server {
namespace {

/// The reference at an offset among those of one object or pod.
class ReferenceFinder {
 public:
  ReferenceFinder(const Scope& scope, FileId file, std::uint32_t offset)
      : scope_(scope), file_(file), offset_(offset) {}

  [[nodiscard]] std::vector<Span> find() {
    const DeclaredKinds* const declared = scope_.corpus.settings->kinds.get();
    for (const Workload& workload : scope_.corpus.workloads) {
      if (covers(workload.object)) add(pod_references(), workload.object, &workload);
    }
    for (const KubernetesObject& object : scope_.corpus.objects) {
      if (covers(object.node)) add(facts_of(object, declared).references, object.node, nullptr);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool covers(Node node) const {
    return node && server::covers(node.span(), file_, offset_);
  }

  void add(std::span<const KindReference> table, Node object, const Workload* workload) {
    for (const KindReference& reference : table) {
      std::vector<std::string_view> paths{reference.path};
      std::ranges::copy(reference.other_paths, std::back_inserter(paths));
      for (const std::string_view path : paths) {
        for (const Node name : referring_nodes(object, workload, path)) {
          if (name.is_scalar() && covers(name)) add(reference, name, object);
        }
      }
    }
  }

  void add(const KindReference& reference, Node name, Node user) {
    const NamedObjects objects(scope_.corpus.objects, scope_.corpus.settings->kinds.get());
    const auto add_kind = [&](std::string_view kind) {
      for (const Value<std::string>& target : objects.names(kind, user)) {
        if (target.value == name.text() && target.node) found_.push_back(target.node.span());
      }
    };
    if (reference.kinds.empty()) return add_kind(reference.what);
    for (const std::string_view kind : reference.kinds) add_kind(kind);
  }

  const Scope& scope_;
  FileId file_;
  std::uint32_t offset_;
  std::vector<Span> found_;
};

}  // namespace

std::vector<Span> find_referenced(CheckedRoot& root, FileId file, std::uint32_t offset) {
  std::vector<Span> found;
  for (const Scope& scope : root.project().scopes) {
    if (!std::ranges::binary_search(scope.files, file)) continue;
    for (const Span place : ReferenceFinder(scope, file, offset).find()) {
      if (std::ranges::find(found, place) == found.end()) found.push_back(place);
    }
  }
  return found;
}

}  // namespace gpulint::server

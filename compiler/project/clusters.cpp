#include "compiler/project/clusters.h"

#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace gpulint {

std::vector<const Cluster*> clusters_of(const Project& project) {
  std::vector<const Cluster*> clusters;
  std::set<std::pair<FileId, std::uint32_t>> seen;  // scopes may share nodes
  for (const Scope& scope : project.scopes) {
    bool is_new = false;
    for (const NodePool& pool : scope.corpus.cluster.pools) {
      const Span span = pool.node.span();
      is_new = seen.emplace(span.file, span.begin).second || is_new;
    }
    if (is_new) clusters.push_back(&scope.corpus.cluster);
  }
  return clusters;
}

Result<const Scope*> only_cluster(const Project& project) {
  const Scope* found = nullptr;
  for (const Scope& scope : project.scopes) {
    if (scope.corpus.cluster.pools.empty()) continue;
    if (found != nullptr) {
      return Error{fmt::format(
          "the inputs describe several clusters{}; name the files of one of them",
          found->name.empty() ? "" : fmt::format(" (`{}`, `{}`)", found->name, scope.name))};
    }
    found = &scope;
  }
  if (found == nullptr && !project.scopes.empty()) found = &project.scopes.front();
  if (found == nullptr) return Error{"no nodes, node pools or gpulint.yaml among the inputs"};
  return found;
}

std::vector<const Policy*> own_policies(const Project& project, const Scope& scope) {
  const Config& config = project.config.config;
  std::vector<const Policy*> policies;
  for (const Policy& own : config.policies) {
    if (!own.scope || &config.scopes[*own.scope] == scope.config) policies.push_back(&own);
  }
  return policies;
}

}  // namespace gpulint

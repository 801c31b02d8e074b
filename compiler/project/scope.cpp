#include "compiler/project/scope.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/pools/find_pools.h"
#include "compiler/model/scope/build_scope_model.h"

namespace gpulint {
namespace {

/// The shared nodes for a scope: one of each class if its documents cannot distinguish them, or
/// all.
[[nodiscard]] std::vector<NodePool> pools_for(const SharedNodes& shared, const SourceSet& sources,
                                              const Settings& settings,
                                              const std::vector<const Document*>& own,
                                              const std::vector<const Document*>& nodes) {
  if (shared.documents.empty()) return {};
  const auto distinguishes = [&](std::string_view text) {
    return may_distinguish(shared.kinds, text);
  };
  const bool is_kind_enough =
      nodes.size() == shared.documents.size() &&  // none was edited
      std::ranges::none_of(own, distinguishes,
                           [&](const Document* document) {
                             return sources.file(document->file).text(document->span);
                           }) &&
      std::ranges::none_of(settings.tasks, distinguishes,
                           [&](Node task) { return sources.text(task.span()); });
  if (is_kind_enough) return shared.kinds.pools;
  std::vector<Node> roots;
  for (const Document* document : nodes) roots.push_back(root(*document));
  return find_pools(roots);
}

/// The model of a scope's documents, which rules read.
[[nodiscard]] ScopeModel build_model(const Scope& scope,
                                     const std::vector<const Document*>& documents,
                                     const SourceSet& sources, const SharedNodes& shared,
                                     const FactStore& facts) {
  std::vector<const Document*> own;
  std::vector<const Document*> nodes;
  for (const Document* document : documents) {
    (shared.documents.contains(document) ? nodes : own).push_back(document);
  }
  std::vector<NodePool> pools = pools_for(shared, sources, scope.settings, own, nodes);
  return build_scope_model(sources, scope.settings, std::move(own), std::move(pools), scope.jobs,
                           &facts);
}

/// Compiles tasks: with Flyte's defaults if the plan allows it and there are nodes.
void compile(Scope& scope, const SharedNodes& shared) {
  const bool has_own_nodes = !scope.runs_on_shared_nodes || shared.documents.empty();
  const bool has_nodes = !scope.corpus.cluster.pools.empty() && has_own_nodes;
  scope.runs_on_defaults = scope.may_run_on_defaults && has_nodes;
  scope.flyte = scope.runs_on_defaults ? flyte::analyze_defaults(scope.corpus, scope.jobs)
                                       : flyte::analyze(scope.corpus, scope.jobs);
  scope.corpus.flyte = &scope.flyte;
}

/// Sets the pods of all tasks, the verdicts and the obstacles.
void place(Scope& scope) {
  for (const flyte::Installation& installation : scope.flyte.installations) {
    for (const flyte::CompiledPod& pod : installation.pods) {
      if (!pod.error.empty()) continue;
      scope.corpus.compiled.push_back(pod.workload);
      add_runtime_class(scope.corpus.runtime_classes, scope.corpus.compiled.back());
    }
  }
  scope.placement = analyze_placement(scope.corpus, scope.jobs);
  scope.corpus.placement = &scope.placement;
}

/// Sets which objects the API server rejects.
void review(Scope& scope, const Scope* before) {
  const ReviewedModel earlier =
      before == nullptr ? ReviewedModel() : ReviewedModel{&before->corpus, before->corpus.api};
  scope.api = review_objects(scope.corpus, scope.jobs, earlier);
  scope.corpus.api = &scope.api;
}

}  // namespace

std::string why_joined(const ScopePlan& scope, const SourceSet& sources) {
  if (!scope.joined_nodes.empty()) {
    return fmt::format("the nodes of {} are the nearest in the tree",
                       sources.file(scope.joined_nodes.front()).path());
  }
  if (scope.joined_objects.empty()) return {};
  return fmt::format("objects of {} are the nearest in the tree",
                     sources.file(scope.joined_objects.front()).path());
}

std::unique_ptr<const Scope> analyze_scope(ScopePlan plan,
                                           const std::vector<const Document*>& documents,
                                           const SourceSet& sources, const SharedNodes& shared,
                                           const FactStore& facts, Depth depth, unsigned jobs,
                                           const Scope* before) {
  auto scope = std::make_unique<Scope>(std::move(plan), jobs);
  static_cast<ScopeModel&>(scope->corpus) = build_model(*scope, documents, sources, shared, facts);
  compile(*scope, shared);
  if (depth != Depth::compiled) place(*scope);
  if (depth == Depth::checked) review(*scope, before);
  return scope;
}

}  // namespace gpulint

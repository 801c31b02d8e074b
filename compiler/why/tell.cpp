#include "compiler/why/tell.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/why/groups.h"
#include "compiler/why/pool_names.h"
#include "compiler/why/ways.h"

namespace gpulint::why {
namespace {

/// What is unknown about nodes that may fit.
[[nodiscard]] std::string open_text(const Group& group) {
  if (!group.machines.empty()) {
    return fmt::format("{} accepts it once Karpenter has created a node ({})",
                       name_of(*group.pools.front()), group.machines);
  }
  if (group.terms.empty()) {
    return fmt::format("{} may accept it: {}", name_of(*group.pools.front()),
                       group.unknown.empty() ? "the input files do not say what its machines offer"
                                             : group.unknown);
  }
  const Term& term = group.terms.front().term;
  if (term.key.empty()) {
    return fmt::format("{} may accept it: the pod may require labels that are not in these files",
                       name_of(*group.pools.front()));
  }
  if (term.kind == ReasonKind::untolerated_taint) {
    return fmt::format(
        "{} may accept it: the input files do not say whether the pod tolerates `{}`",
        name_of(*group.pools.front()), taint_text(term));
  }
  if (term.is_assumed) {
    return fmt::format("{} likely has too little `{}`: {} {}", name_of(*group.pools.front()),
                       term.key, term.actual.value_or(""), term.remark);
  }
  if (group.terms.front().is_unlisted) {
    return fmt::format("{} may accept it: the Node does not list `{}`",
                       name_of(*group.pools.front()), term.key);
  }
  if (term.kind == ReasonKind::unallocated_claims) {
    return fmt::format(
        "{} may accept it: the input files do not say whether it has free devices for {}",
        name_of(*group.pools.front()), term.key);
  }
  if (term.kind == ReasonKind::insufficient_resource && !term.values.empty()) {
    const NodePool& pool = *group.pools.front();
    return fmt::format("{} may accept it: the input files do not say whether {} {} `{}`",
                       name_of(pool),
                       pool.source == NodePool::Source::node ? "it offers" : "its machines offer",
                       term.values.front(), term.key);
  }
  return fmt::format("{} may accept it: the input files do not say whether it has `{}`",
                     name_of(*group.pools.front()), term.key);
}

/// One machine that offers enough does not serve several pods.
void tell_of_one_pod(Group& group) {
  if (group.machines.empty()) return;
  group.unknown = fmt::format("its machines offer enough for one pod ({})", group.machines);
  group.machines.clear();
}

}  // namespace

Story tell(const Subject& subject) {
  Story story;
  story.workload = subject.name;
  if (subject.pod != nullptr) {
    story.task = subject.pod->task;
    story.source = subject.pod->source;
    story.is_assumed = subject.pod->assumed;
  }
  for (const ApiProblem& problem : subject.refusals) {
    story.refusals.push_back(
        fmt::format("the API server rejects it: {}: {}", problem.path, problem.detail));
  }
  const Placement& placement = *subject.placement;
  for (const NodeClass& nodes : placement.classes()) {
    const Ternary fits = gpulint::fits(subject.prepared(), nodes);
    story.fits = any_of(story.fits, fits);
    if (fits != Ternary::yes) continue;
    for (const std::size_t index : nodes.pools) {
      story.fitting.push_back(&placement.cluster().pools[index]);
    }
  }
  if (!subject.prepared().is_elsewhere) story.groups = group_nodes(subject);
  const bool is_refused = !story.refusals.empty();
  story.obstacles = subject.obstacles;
  const bool is_crowded =
      std::ranges::find(story.obstacles, Gate::capacity, &Obstacle::gate) != story.obstacles.end();
  if (is_crowded) std::ranges::for_each(story.groups, tell_of_one_pod);
  story.fits_nodes = story.fits;
  story.fits = is_refused ? Ternary::no : all_of(story.fits, passes(story.obstacles));
  if (story.fits == Ternary::yes) return story;
  if (!story.groups.empty() && !story.groups.front().lacks_device) {
    story.nearest = story.groups.front().pools.front();
  }
  const Obstacle* const obstacle = first_of(story.obstacles);
  const bool may_fit = story.fits_nodes != Ternary::no || subject.prepared().is_elsewhere;
  if (is_refused) {
    story.cannot = story.refusals.front();
  } else if (may_fit && obstacle != nullptr) {
    story.cannot = obstacle->reason;
  } else if (story.groups.empty()) {
    story.cannot = "no nodes among the inputs";
  } else if (may_fit) {
    story.cannot = open_text(story.groups.front());
  } else {
    story.ways = find_ways(subject, story.groups);
    story.cannot = find_obstacle(subject, story.groups);
  }
  return story;
}

}  // namespace gpulint::why

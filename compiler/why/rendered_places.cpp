#include "compiler/why/rendered_places.h"

namespace gpulint::why {

std::vector<Span> places_in(const std::vector<Story>& stories) {
  std::vector<Span> places;
  const auto add = [&](Node node) {
    if (node) places.push_back(node.written().key_span());
  };
  for (const Story& story : stories) {
    for (const Group& group : story.groups) {
      for (const FailedTerm& failed : group.terms) {
        add(failed.origin.node);
        add(failed.term.found);
      }
    }
    for (const Obstacle& obstacle : story.obstacles) {
      add(obstacle.demand);
      for (const Obstacle::Half& half : obstacle.others) add(half.node);
    }
  }
  return places;
}

}  // namespace gpulint::why

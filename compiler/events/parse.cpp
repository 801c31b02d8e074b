#include "compiler/events/parse.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "compiler/events/claims.h"
#include "compiler/events/flat_text.h"
#include "compiler/events/subjects.h"

namespace gpulint::events {
namespace {

using Reader = void (*)(Reading&, std::size_t);

/// Words that occur in one kind of message only, and who reads these.
struct Anchor {
  std::string_view words;
  Reader read;
};
constexpr auto anchors = std::to_array<Anchor>({
    {"nodes are available:", read_nodes_available},
    {"nodes are available.", read_nodes_available},
    {"nodes are unavailable:", read_nodes_available},
    {"No nodes are available that match all of", read_predicates},
    {"Cannot schedule pods: ", read_cannot_schedule},
    {"pod didn't trigger scale-up", read_scale_up},
    {"pod triggered scale-up", read_scale_up},
    {"predicate checking error:", read_scale_up_log},
    {"Scale-up predicate failed:", read_scale_up_log},
    {"incompatible with nodepool ", read_karpenter},
    {"incompatible with provisioner ", read_karpenter},
    {"did not tolerate ", read_karpenter},
    {"no instance type ", read_karpenter},
    {"incompatible requirements, ", read_karpenter},
    {"all available instance types exceed limits", read_karpenter},
    {"requirements filtered out all", read_karpenter},
    {"couldn't assign flavors to pod set ", read_kueue},
    {"tasks in gang unschedulable", read_volcano_gang},
    {"resource in cluster is overused", read_volcano_overused},
    {"o nodes with enough resources were found", read_kai},
    {"Resources were found for ", read_kai_gang},
    {"quota has reached the allowable limit of", read_kai_quota},
    {"Allocate failed due to ", read_allocation},
    {"Node didn't have enough resource: ", read_refusal},
    {"OutOf", read_out_of},
    {"exceeded quota: ", read_exceeded_quota},
    {"failed quota: ", read_failed_quota},
    {"insufficient quota to match these scopes", read_quota_of_scopes},
    {"violates PodSecurity ", read_pod_security},
    {"RuntimeClass \"", read_missing_object},
    {"no PriorityClass with name ", read_missing_object},
    {"Limit must be set for non overcommitable resources", read_invalid_amount},
    {"must be equal to ", read_invalid_amount},
    {"no runtime for \"", read_no_runtime},
    {"failed to find runtime handler ", read_no_runtime},
    {"could not load NVML library", read_no_driver},
    {"Could not load NVML library", read_no_driver},
    {"nvidia-container-cli: initialization error", read_no_driver},
    {"nvidia-container-cli.real: initialization error", read_no_driver},
    {"did you configure the NVIDIA Container Toolkit?", read_no_driver},
    {"unresolvable CDI devices ", read_unresolvable_device},
});

struct Found {
  std::size_t at = 0;
  Reader read = nullptr;
};

[[nodiscard]] std::vector<Found> find_anchors(std::string_view text) {
  std::vector<Found> found;
  for (const Anchor& anchor : anchors) {
    for (std::size_t at = text.find(anchor.words); at != std::string_view::npos;
         at = text.find(anchor.words, at + anchor.words.size())) {
      found.push_back({at, anchor.read});
    }
  }
  std::ranges::sort(found, {}, &Found::at);
  return found;
}

using Refusal = std::tuple<std::string, std::string, std::string>;

/// What a message of the kubelet refuses to whom.
[[nodiscard]] Refusal refusal_of(const Event& event) {
  return {event.subject.name_space, event.subject.name, event.claims.front().key};
}

/// `OutOfcpu` says again, shorter, what another message says of the same pod; several lines of a
/// log say that there is no driver.
void drop_echoes(std::vector<Event>& events) {
  std::set<std::pair<std::string, std::string>> without_driver;
  std::erase_if(events, [&](const Event& event) {
    const Subject& pod = event.subject;
    const bool says_other =
        event.claims.empty() || event.claims.front().kind != ClaimKind::missing_driver;
    return !says_other && !without_driver.emplace(pod.name_space, pod.name).second;
  });
  std::set<Refusal> refusals;
  for (const Event& event : events) {
    if (event.text.starts_with("Node didn't")) refusals.insert(refusal_of(event));
  }
  std::erase_if(events, [&](const Event& event) {
    return event.text.starts_with("OutOf") && refusals.contains(refusal_of(event));
  });
}

/// Of equal messages about one pod the first.
[[nodiscard]] std::vector<Event> without_repetitions(std::vector<Event> events) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::vector<Event> result;
  for (Event& event : events) {
    if (!seen.emplace(event.subject.name_space, event.subject.name, event.text).second) continue;
    result.push_back(std::move(event));
  }
  drop_echoes(result);
  return result;
}

}  // namespace

std::vector<Event> parse(std::string_view text) {
  const FlatText flat = flatten(text);
  Reading reading{flat.text, {}};
  for (const Found& found : find_anchors(flat.text)) {
    const bool is_read = !reading.events.empty() && found.at < reading.events.back().end;
    if (!is_read) found.read(reading, found.at);
  }
  const Subjects subjects(flat.text);
  for (Event& event : reading.events) {
    event.subject = subjects.find(event.begin);
    for (Claim& claim : event.claims) {
      claim.begin = flat.origin(claim.begin);
      claim.end = flat.origin(claim.end);
    }
    event.begin = flat.origin(event.begin);
    event.end = flat.origin(event.end);
  }
  return without_repetitions(std::move(reading.events));
}

}  // namespace gpulint::events

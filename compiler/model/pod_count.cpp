#include "compiler/model/pod_count.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/declared_kinds.h"

namespace gpulint {
namespace {

/// The mapping with the last key of a path, and this key.
struct Place {
  Node owner;
  std::string_view key;
};
[[nodiscard]] Place follow(Node from, std::string_view path) {
  while (path.find('.') != path.npos) from = from.get(take_part(path, '.'));
  return {from, path};
}

[[nodiscard]] Place place_of(const Workload& workload, std::string_view path) {
  constexpr std::string_view of_pod = "pod.";
  if (path.starts_with(of_pod)) return follow(workload.pod.node, path.substr(of_pod.size()));
  return follow(workload.object, path);
}

[[nodiscard]] std::optional<std::int64_t> read_count(const Place& place, bool is_required) {
  const Field<std::int64_t> count = read_int(place.owner, place.key);
  if (count.is_absent() && !is_required) return 1;
  return count.is_known() && count.value() >= 0 && count.value() <= 100'000
             ? std::optional(count.value())
             : std::nullopt;
}

[[nodiscard]] bool is_set(const Place& place) {
  const Node node = place.owner.get(place.key);
  return node && node.text() != "false";
}

/// Whether something else decides the number of pods.
[[nodiscard]] bool is_scaled(const Workload& workload, const PodCountFacts& facts) {
  constexpr std::string_view around = "around.";
  return std::ranges::any_of(facts.unless, [&](std::string_view path) {
    if (!path.starts_with(around)) return is_set(place_of(workload, path));
    return std::ranges::any_of(workload.around, [&](Node node) {
      return is_set(follow(node, path.substr(around.size())));
    });
  });
}

/// The counts of everything around the template, multiplied.
[[nodiscard]] PodCount count_around(const Workload& workload, const PodCountFacts& facts) {
  PodCount result{1, {}};
  const auto multiply = [&](const Place& place, bool is_required) {
    const auto factor = read_count(place, is_required);
    result.pods = result.pods && factor ? std::optional(*result.pods * *factor) : std::nullopt;
    if (!result.node) result.node = place.owner.get(place.key);
  };
  for (const Node around : workload.around) {
    multiply({around, "replicas"}, false);
    multiply({around, "parallelism"}, false);
    for (const std::string_view path : facts.factors) {
      const Place place = follow(around, path);
      if (place.owner) multiply(place, true);
    }
  }
  return result;
}

/// The hook `groups`: of a LeaderWorkerSet.
[[nodiscard]] PodCount count_groups(const Workload& workload) {
  const Node spec = workload.object.get("spec");
  const auto groups = read_count({spec, "replicas"}, false);
  const auto pods = pods_of_group(workload);
  const Node size = spec.at("leaderWorkerTemplate", "size");
  return {groups && pods ? std::optional(*groups * *pods) : std::nullopt,
          size && groups == 1 ? size : spec.get("replicas")};
}

/// Whether each of the mapping's `replicas` has several pods: groups of a LeaderWorkerSet, and
/// services of Dynamo that run on several nodes.
[[nodiscard]] bool has_replicas_of_pods(Node owner) {
  return owner.get("leaderWorkerTemplate") || owner.get("multinode");
}

}  // namespace

std::string label_pods(Node value, std::int64_t pods) {
  const Node owner = value.parent();
  const Field<std::int64_t> number = read_int(owner, value.key().text());
  const bool is_factor = number.is_known() && number.value() > 0 && number.value() < pods &&
                         pods % number.value() == 0;
  const std::string all = count_text(static_cast<std::size_t>(pods), "pod");
  if (!is_factor) return all;
  const std::int64_t each = pods / number.value();
  if (!has_replicas_of_pods(owner)) return fmt::format("{}, {} times this number", all, each);
  return number.value() == 1
             ? fmt::format("1 replica with {} pods", each)
             : fmt::format("{}: {} replicas with {} pods each", all, number.value(), each);
}

std::optional<std::int64_t> pods_of_group(const Workload& workload) {
  const Node group = workload.object.at("spec", "leaderWorkerTemplate");
  const auto size = read_count({group, "size"}, false);
  if (!size || *size < 1) return std::nullopt;
  if (workload.role == "leader") return 1;
  return group.get("leaderTemplate") ? *size - 1 : *size;
}

PodCount concurrent_pods(const Workload& workload) {
  const PodCountFacts& facts = facts_of(workload).count;
  if (!facts.is_known || is_scaled(workload, facts)) return {};
  if (facts.hook == "groups") return count_groups(workload);
  if (facts.path.empty()) return count_around(workload, facts);
  if (!facts.single_role.empty() && workload.role == facts.single_role) return {1, {}};
  const Place place = place_of(workload, facts.path);
  return {read_count(place, facts.is_required), place.owner.get(place.key)};
}

}  // namespace gpulint

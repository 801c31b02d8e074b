#include "compiler/analysis/pods_alike.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "compiler/analysis/project.h"

namespace gpulint {
namespace {

/// A pod that a controller has made, by where it stands.
struct OwnedPod {
  Span span;
  Node node;
  std::string owner;  ///< `ReplicaSet/team/name`
};

[[nodiscard]] std::string owner_of(Node pod) {
  for (const Node owner : pod.at("metadata", "ownerReferences").items()) {
    if (owner.get("controller").text() != "true") continue;
    return fmt::format("{}/{}/{}", owner.get("kind").text(), object_namespace(pod),
                       owner.get("name").text());
  }
  return {};
}

/// In the order of files and places.
[[nodiscard]] std::vector<OwnedPod> find_owned_pods(const Project& project) {
  std::vector<OwnedPod> pods;
  std::set<std::pair<FileId, std::uint32_t>> seen;  // a file may be part of several scopes
  for (const Scope& scope : project.scopes) {
    for (const KubernetesObject& object : scope.corpus.objects) {
      if (object.kind.value_or("") != "Pod") continue;
      std::string owner = owner_of(object.node);
      const Span span = object.node.span();
      if (owner.empty() || !seen.emplace(span.file, span.begin).second) continue;
      pods.push_back({span, object.node, std::move(owner)});
    }
  }
  std::ranges::sort(pods, {},
                    [](const OwnedPod& pod) { return std::pair(pod.span.file, pod.span.begin); });
  return pods;
}

/// Null where the place is in none.
[[nodiscard]] const OwnedPod* pod_around(const std::vector<OwnedPod>& pods, Span place) {
  const auto behind = std::ranges::upper_bound(
      pods, std::pair(place.file, place.begin), {},
      [](const OwnedPod& pod) { return std::pair(pod.span.file, pod.span.begin); });
  if (behind == pods.begin()) return nullptr;
  const OwnedPod& pod = *std::prev(behind);
  return pod.span.file == place.file && place.begin < pod.span.end ? &pod : nullptr;
}

/// Messages name the pod.
[[nodiscard]] std::string without_name(std::string message, Node pod) {
  const std::string name = fmt::format("`{}`", object_name(pod));
  for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos; ++at) {
    message.replace(at, name.size(), "``");
  }
  return message;
}

}  // namespace

void PodsAlike::add(const Document& document, const Counts& counts) {
  if (counts.empty()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [pod, count] : counts) counts_[{&document, pod}] = count;
}

std::size_t PodsAlike::of(Node pod) const {
  const auto found = counts_.find({pod.document(), pod.index()});
  return found == counts_.end() ? 0 : found->second;
}

std::size_t PodsAlike::total() const {
  std::size_t total = 0;
  for (const auto& [pod, count] : counts_) total += count;
  return total;
}

void group_by_owner(const Project& project, std::vector<Diagnostic>& findings) {
  const std::vector<OwnedPod> pods = find_owned_pods(project);
  if (pods.empty()) return;
  struct Group {
    std::size_t kept = 0;
    std::set<const OwnedPod*> pods;
  };
  std::map<std::tuple<std::string_view, const RuleInfo*, std::string>, Group> groups;
  std::vector<Diagnostic> kept;
  for (Diagnostic& finding : findings) {
    const OwnedPod* const pod = pod_around(pods, finding.span);
    if (pod == nullptr) {
      kept.push_back(std::move(finding));
      continue;
    }
    const auto [group, is_first] =
        groups.try_emplace({pod->owner, finding.rule, without_name(finding.message, pod->node)});
    if (is_first) {
      group->second.kept = kept.size();
      kept.push_back(std::move(finding));
    } else if (group->second.pods.contains(pod)) {
      kept.push_back(std::move(finding));  // another place in the same pod
    }
    group->second.pods.insert(pod);
  }
  for (const auto& [key, group] : groups) {
    std::size_t others = group.pods.size() - 1;
    for (const OwnedPod* pod : group.pods) others += project.pods_alike.of(pod->node);
    if (others == 0) continue;
    std::string& help = kept[group.kept].help;
    help += fmt::format("{}so it is with {} other pod{} of {}", help.empty() ? "" : "; ", others,
                        others == 1 ? "" : "s", std::get<0>(key));
  }
  findings = std::move(kept);
}

}  // namespace gpulint

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "compiler/model/facts/gpu_cards.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/pod_diagnosis.h"

namespace gpulint {
namespace {

[[nodiscard]] const NodeResource* find_offer(const Candidate& candidate, std::string_view name) {
  const NodeResource* const offer = candidate.known().node.find_resource(name);
  return offer != nullptr && (offer->is_open || offer->amount > 0) ? offer : nullptr;
}

[[nodiscard]] bool offers(const Candidate& candidate, std::string_view name) {
  const NodeResource* const stated = candidate.known().node.find_resource(name);
  if (stated != nullptr) return stated->is_open || stated->amount > 0;
  return candidate.known().node.may_offer_unlisted(name);
}

[[nodiscard]] bool is_device(std::string_view name) {
  const GpuResource::Kind kind = classify_resource(name).kind;
  return kind == GpuResource::Kind::device || kind == GpuResource::Kind::mig ||
         kind == GpuResource::Kind::gpu_like;
}

[[nodiscard]] std::string_view domain_of(std::string_view name) {
  return name.substr(0, name.find('/'));
}

/// Accelerators that some candidate certainly offers, and its other resources of the same domain,
/// sorted.
[[nodiscard]] std::vector<std::string> offered_devices(const Candidates& all,
                                                       std::string_view wanted) {
  const bool is_accelerator = is_gpu_resource(wanted);
  std::set<std::string> names;
  for (const Candidate* candidate : all) {
    for (const NodeResource& resource : candidate->known().node.resources) {
      const bool is_shown =
          is_accelerator ? is_device(resource.name) : domain_of(resource.name) == domain_of(wanted);
      if (resource.amount > 0 && is_shown) names.insert(resource.name);
    }
  }
  return {names.begin(), names.end()};
}

/// `nvidia.com/mig-2g.10gb`: `2g`.
[[nodiscard]] std::string_view slices_of(std::string_view mig_name) {
  constexpr std::string_view prefix = "nvidia.com/mig-";
  if (!mig_name.starts_with(prefix)) return {};
  mig_name.remove_prefix(prefix.size());
  return mig_name.substr(0, mig_name.find('.'));
}

/// The resource that was likely meant by a name that no node offers: the shared or unshared twin,
/// the partition with as many slices, the only accelerator of the vendor.
[[nodiscard]] std::string suggest(const std::string& name,
                                  const std::vector<std::string>& offered) {
  constexpr std::string_view shared = ".shared";
  const std::string twin =
      name.ends_with(shared) ? name.substr(0, name.size() - shared.size()) : name + ".shared";
  std::vector<std::string> likely;
  for (const std::string& candidate : offered) {
    if (candidate == twin) return candidate;
    const bool is_likely =
        domain_of(candidate) == domain_of(name) && may_be_same_card(name, candidate, false);
    if (is_likely) likely.push_back(candidate);
  }
  const auto same_slices = [&](const std::string& candidate) {
    return !slices_of(name).empty() && slices_of(candidate) == slices_of(name);
  };
  if (std::ranges::count_if(likely, same_slices) == 1) {
    return *std::ranges::find_if(likely, same_slices);
  }
  return likely.size() == 1 ? likely.front() : std::string{};
}

/// The candidate that offers the suggestion, else any that offers an accelerator.
[[nodiscard]] const Candidate* offering_candidate(const PreparedPod& pod, const Candidates& all,
                                                  std::string_view name) {
  const auto found = std::ranges::find_if(
      all, [&](const Candidate* candidate) { return find_offer(*candidate, name) != nullptr; });
  return found == all.end() ? nearest_candidate(pod, all) : *found;
}

[[nodiscard]] Cause missing(const PreparedPod& pod, const PodRequest& request,
                            const Candidates& all) {
  MissingResource resource{
      .name = request.name, .offered = offered_devices(all, request.name), .suggestion = {}};
  resource.suggestion = suggest(resource.name, resource.offered);
  const std::string shown = !resource.suggestion.empty() ? resource.suggestion
                            : resource.offered.empty()   ? std::string{}
                                                         : resource.offered.front();
  const Candidate* const nearest = offering_candidate(pod, all, shown);
  const NodeResource* const offer = find_offer(*nearest, shown);
  Cause cause{.what = {},
              .demand = request.node,
              // The request of a task is written at its amount, but the name is wrong.
              .where = request.node.key().text() == request.name ? request.node.key_span() : Span{},
              .other = offer == nullptr ? Node{} : offer->node,
              .pool = &nearest->pool(),
              .workloads = {}};
  cause.what = std::move(resource);
  return cause;
}

[[nodiscard]] const Reason* find_shortage(const Candidate& candidate, const PodRequest& request) {
  for (const Reason* reason : candidate.certain(ReasonKind::insufficient_resource)) {
    if (reason->detail == request.name) return reason;
  }
  return nullptr;
}

/// The amount at a resource's key.
[[nodiscard]] Node amount_node(const PodSpec& pod, Node key) {
  for (const Container& container : pod.containers) {
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      for (const ResourceEntry& entry : *entries) {
        if (entry.name.node == key && entry.amount.node()) return entry.amount.node();
      }
    }
  }
  return key;
}

}  // namespace

std::vector<Cause> missing_resources(const PreparedPod& pod, const Candidates& candidates,
                                     const Candidates& all) {
  std::vector<Cause> causes;
  for (const PodRequest& request : pod.requests.resources) {
    if (request.amount <= 0 || request.name.find('/') == std::string::npos) continue;
    const auto lacks = [&](const Candidate* candidate) {
      return !offers(*candidate, request.name);
    };
    if (!std::ranges::all_of(candidates, lacks)) continue;
    Cause cause = missing(pod, request, candidates);
    std::get<MissingResource>(cause.what).is_elsewhere = !std::ranges::all_of(all, lacks);
    causes.push_back(std::move(cause));
  }
  return causes;
}

std::vector<Cause> exceeded_amounts(const PreparedPod& pod, const Candidates& candidates) {
  std::vector<Cause> causes;
  for (const PodRequest& request : pod.requests.resources) {
    const Candidate* largest = nullptr;
    const Reason* least = nullptr;
    bool exceeds_all = !candidates.empty();
    for (const Candidate* candidate : candidates) {
      const Reason* const found = find_shortage(*candidate, request);
      exceeds_all = exceeds_all && found != nullptr;
      if (found == nullptr) break;
      if (least == nullptr || found->offered > least->offered) {
        least = found;
        largest = candidate;
      }
    }
    if (!exceeds_all || largest == nullptr) continue;
    causes.push_back({.what = ExceededAmount{request.name, least->requested, least->offered,
                                             least->remark, least->is_assumed},
                      .demand = amount_node(*pod.spec, request.node),
                      .where = {},
                      .other = least->pool_node,
                      .pool = &largest->pool(),
                      .workloads = {}});
  }
  return causes;
}

}  // namespace gpulint

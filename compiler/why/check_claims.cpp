#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/messages/explain.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/pod_relations.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/event_story.h"
#include "compiler/why/groups.h"
#include "compiler/why/subject.h"

namespace gpulint::why {
namespace {

/// The resources of a node that pods of the inputs use: those with `spec.nodeName` that have not
/// ended.
struct UsedCapacity {
  std::int64_t amount = 0;
  std::vector<std::string> pods;
};

/// Used amounts of one resource by node name, without the subject's own.
[[nodiscard]] std::map<std::string, UsedCapacity> used_capacity(const Subject& subject,
                                                                std::string_view resource) {
  std::map<std::string, UsedCapacity> used;
  const auto workloads = subject.placement->workloads();
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    const Workload& workload = *workloads[w];
    const std::string node = workload.pod.node_name.value_or("");
    if (w == subject.workload || node.empty() || has_ended(workload)) continue;
    const PodRequest* const request = subject.placement->pod(w).requests.find(resource);
    if (request == nullptr || request->amount == 0) continue;
    used[node].amount += request->amount;
    used[node].pods.push_back(workload.display_name());
  }
  return used;
}

using events::Claim;

using events::ClaimKind;

using events::Speaker;

constexpr const char* export_nodes = "kubectl get nodes -o yaml > nodes.yaml";

constexpr const char* export_pods = "kubectl get pods -A -o yaml > pods.yaml";

constexpr const char* export_pools = "kubectl get nodepools -o yaml > nodepools.yaml";

[[nodiscard]] std::string export_pod(const events::Subject& subject) {
  return events::pod_command("get", subject) + " -o yaml > pod.yaml";
}

[[nodiscard]] bool is_about_nodes(Speaker speaker) {
  return speaker == Speaker::scheduler || speaker == Speaker::volcano || speaker == Speaker::kai;
}

[[nodiscard]] std::string count_nodes(std::int64_t count) {
  return fmt::format("{} node{}", count, count == 1 ? "" : "s");
}

/// A node or pool that the pod does not fit, and the failed term.
struct Refusing {
  const NodePool* pool = nullptr;
  std::optional<Term> term;  ///< Of the claim's kind.
  std::string text;          ///< The pool's name, and what it offers.
};

[[nodiscard]] std::string names_of_pools(const std::vector<Refusing>& refusing) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(refusing.size(), most); ++i) {
    names.push_back(refusing[i].text);
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (refusing.size() <= most) return text;
  return fmt::format("{} and {} more", text, refusing.size() - most);
}

/// Whether a claim is about a term.
[[nodiscard]] bool is_meant(const Term& term, const Claim& claim) {
  switch (claim.kind) {
    case ClaimKind::insufficient_resource:
      return term.kind == ReasonKind::insufficient_resource && term.key == claim.key;
    case ClaimKind::untolerated_taint: {
      if (term.kind != ReasonKind::untolerated_taint) return false;
      if (!claim.key.empty() && term.key != claim.key) return false;
      return claim.value.empty() || term.values.empty() || term.values.front() == claim.value;
    }
    case ClaimKind::node_affinity:
      return (term.kind == ReasonKind::node_affinity || term.kind == ReasonKind::node_selector ||
              term.kind == ReasonKind::node_affinity_error) &&
             (claim.key.empty() || term.key == claim.key);
    case ClaimKind::unschedulable:
      return term.kind == ReasonKind::unschedulable;
    default:
      return false;
  }
}

[[nodiscard]] bool can_be_held_against_nodes(ClaimKind kind) {
  return kind == ClaimKind::insufficient_resource || kind == ClaimKind::untolerated_taint ||
         kind == ClaimKind::node_affinity || kind == ClaimKind::unschedulable;
}

[[nodiscard]] std::vector<Node> topology_keys(const std::vector<Node>& entries) {
  std::vector<Node> keys;
  for (const Node entry : entries) keys.push_back(entry.get("topologyKey"));
  return keys;
}

/// The lines of the workload that a claim about volumes or other pods is about.
[[nodiscard]] std::vector<Node> lines_of(const Claim& claim, const Workload& workload) {
  const PodSpec& pod = workload.pod;
  switch (claim.kind) {
    case ClaimKind::volume: {
      std::vector<Node> names;
      for (const VolumeClaim& volume : volume_claims(workload)) names.push_back(volume.node);
      return names;
    }
    case ClaimKind::topology_spread:
      return topology_keys(spread_constraints(pod));
    case ClaimKind::pod_affinity:
      // these rules are in manifests of other pods
      if (claim.text.find("existing pods") != std::string::npos) return {};
      return topology_keys(claim.text.find("anti-affinity") == std::string::npos
                               ? pod_affinity_terms(pod)
                               : pod_anti_affinity_terms(pod));
    default:
      return {};
  }
}

/// The field at a path as the API server prints it, up to its first index.
[[nodiscard]] Node find_field(Node node, std::string_view path) {
  path = path.substr(0, path.find('['));
  while (node && !path.empty()) node = node.get(take_part(path, '.'));
  return node;
}

/// The same in a workload's object or its pod: a controller may have copied the pod to the object
/// that was rejected.
[[nodiscard]] Node find_field(const Workload& workload, std::string_view path) {
  constexpr std::string_view spec = "spec.";
  if (const Node found = find_field(workload.object, path)) return found;
  const std::size_t in_pod = path.rfind(spec);
  return in_pod == path.npos ? Node{}
                             : find_field(workload.pod.node, path.substr(in_pod + spec.size()));
}

class ClaimCheck {
 public:
  ClaimCheck(const events::Event& event, const Subject* subject, const Cluster* cluster)
      : event_(event), subject_(subject), cluster_(cluster) {
    if (cluster == nullptr) return;
    node_count_ = std::ranges::count(cluster->pools, NodePool::Source::node, &NodePool::source);
  }

  [[nodiscard]] EventStory run() {
    EventStory story;
    story.event = event_;
    story.has_nodes = cluster_ != nullptr;
    if (subject_ != nullptr) story.workload = subject_->name;
    compare_total(story);
    for (const Claim& claim : event_.claims) story.claims.push_back(check(claim));
    return story;
  }

 private:
  void compare_total(EventStory& story) {
    if (cluster_ == nullptr || !event_.total || !is_about_nodes(event_.speaker)) return;
    const bool counts_nodes = std::ranges::none_of(
        event_.claims, [](const Claim& claim) { return claim.kind == ClaimKind::gang; });
    if (!counts_nodes || *event_.total == node_count_) return;
    lacks_nodes_ = *event_.total > node_count_;
    story.total = fmt::format("the event counts {}, the files have {}", count_nodes(*event_.total),
                              node_count_);
    story.command = export_nodes;
  }

  [[nodiscard]] CheckedClaim check(const Claim& claim) const {
    const bool is_comparable =
        subject_ != nullptr && cluster_ != nullptr && can_be_held_against_nodes(claim.kind) &&
        event_.speaker != Speaker::kubelet && event_.speaker != Speaker::kueue;
    if (subject_ != nullptr && is_of_topology(claim.kind)) return check_topology(claim);
    if (is_about_nodes(event_.speaker)) {
      return is_comparable && node_count_ > 0 ? check_nodes(claim) : explain(claim);
    }
    if (event_.speaker == Speaker::karpenter && subject_ != nullptr && cluster_ != nullptr) {
      return check_karpenter(claim);
    }
    return is_comparable ? check_groups(claim) : explain(claim);
  }

  [[nodiscard]] CheckedClaim explain(const Claim& claim) const {
    events::Explanation explanation = events::explain(claim, event_);
    CheckedClaim checked;
    checked.claim = claim;
    checked.finding = std::move(explanation.meaning);
    checked.command = std::move(explanation.command);
    if (claim.kind != ClaimKind::denied || claim.value.empty() || subject_ == nullptr)
      return checked;
    checked.found = find_field(*subject_->placement->workloads()[subject_->workload], claim.value);
    if (checked.found) checked.standing = Standing::explained;
    return checked;
  }

  /// Compares the pod's line for volumes or other pods with the files.
  [[nodiscard]] CheckedClaim check_topology(const Claim& claim) const {
    CheckedClaim checked = explain(claim);
    const Workload& workload = *subject_->placement->workloads()[subject_->workload];
    const std::vector<Node> lines = lines_of(claim, workload);
    if (lines.empty()) return checked;
    checked.found = lines.front();
    for (const Obstacle& obstacle : subject_->obstacles) {
      if (std::ranges::find(lines, obstacle.demand) == lines.end()) continue;
      checked.standing = Standing::explained;
      checked.finding = obstacle.reason;
      checked.found = obstacle.demand;
      checked.command.clear();
      break;
    }
    return checked;
  }

  /// The resource that the subject requests, for messages that only say `GPUs`.
  [[nodiscard]] Claim named(Claim claim) const {
    if (claim.key != "GPUs") return claim;
    for (const PodRequest& request : subject_->prepared().requests.resources) {
      if (request.amount > 0 && is_gpu_resource(request.name)) claim.key = request.name;
    }
    return claim;
  }

  template <class IsAsked>
  [[nodiscard]] std::vector<Refusing> refusing(const Claim& claim, IsAsked is_asked) const {
    std::vector<Refusing> found;
    std::string first;  // what the first one lacks: the sentence names it
    for (const NodeClass& nodes : subject_->placement->classes()) {
      std::optional<Term> meant;
      for (const Reason& reason : assess(subject_->prepared(), nodes).reasons) {
        if (reason.holds != Ternary::yes) continue;
        for (const Term& term : terms_of(reason, subject_->prepared(), nodes)) {
          if (term.holds != Ternary::yes || !is_meant(term, claim)) continue;
          if (!meant || demand_text(term) == first) meant = term;
        }
      }
      if (!meant) continue;
      if (first.empty()) first = demand_text(*meant);
      for (const std::size_t index : nodes.pools) {
        const NodePool& pool = cluster_->pools[index];
        if (is_asked(pool)) found.push_back({&pool, meant, text_of(pool, *meant, first)});
      }
    }
    return found;
  }

  /// `said`: the requirement in the sentence. If the node lacks another label, the text names it.
  [[nodiscard]] static std::string text_of(const NodePool& pool, const Term& term,
                                           const std::string& said) {
    if (term.kind == ReasonKind::insufficient_resource) {
      return fmt::format("{} offers {}", pool.name, term.actual.value_or("none"));
    }
    const bool is_label =
        term.kind == ReasonKind::node_affinity || term.kind == ReasonKind::node_selector;
    if (is_label && !term.key.empty() && demand_text(term) != said) {
      return term.actual ? fmt::format("{} has `{}={}`", pool.name, term.key, *term.actual)
                         : fmt::format("{} has no `{}`", pool.name, term.key);
    }
    if (is_label && !term.key.empty()) {
      return term.actual ? fmt::format("{} has `{}`", pool.name, *term.actual)
                         : fmt::format("{} has none", pool.name);
    }
    return pool.name;
  }

  [[nodiscard]] CheckedClaim check_nodes(const Claim& said) const {
    const Claim claim = named(said);
    std::vector<Refusing> found =
        refusing(claim, [](const NodePool& pool) { return pool.source == NodePool::Source::node; });
    const bool is_amount = claim.kind == ClaimKind::insufficient_resource;
    if (is_amount && requested(claim.key) == 0) return not_requested(said);
    if (is_amount) add_held(claim.key, found);
    CheckedClaim checked;
    checked.claim = said;
    checked.standing = Standing::explained;
    if (found.empty()) return nothing_found(std::move(checked), claim);
    if (found.front().term) checked.found = found.front().term->found;
    checked.finding = demand_of(claim, found.front()) + names_of_pools(found);
    const auto shown = static_cast<std::int64_t>(found.size());
    if (claim.count && *claim.count > shown) {
      checked.standing = Standing::unexplained;
      checked.finding = fmt::format("the files show this for {} of {} nodes: {}", shown,
                                    *claim.count, checked.finding);
      checked.command = is_amount && !lacks_nodes_ ? export_pods : export_nodes;
    }
    return checked;
  }

  /// The start of the sentence: what is required.
  [[nodiscard]] std::string demand_of(const Claim& claim, const Refusing& first) const {
    if (claim.kind == ClaimKind::insufficient_resource) {
      return fmt::format("{} requested, ", amount_text(claim.key, requested(claim.key)));
    }
    if (claim.kind == ClaimKind::untolerated_taint) return "the taint is on ";
    if (claim.kind == ClaimKind::unschedulable) return "cordoned: ";
    const bool has_key = first.term && !first.term->key.empty();
    return claim.kind == ClaimKind::node_affinity && has_key
               ? fmt::format("`{}` is required: ", demand_text(*first.term))
               : "";
  }

  [[nodiscard]] std::int64_t requested(std::string_view resource) const {
    const PodRequest* const request = subject_->prepared().requests.find(resource);
    return request == nullptr ? 0 : request->amount;
  }

  /// Adds nodes on which pods of the inputs use too much.
  void add_held(const std::string& resource, std::vector<Refusing>& found) const {
    const auto used = used_capacity(*subject_, resource);
    for (const NodeClass& nodes : subject_->placement->classes()) {
      if (used.empty() || fits(subject_->prepared(), nodes) == Ternary::no) continue;
      const NodeResource* const offer = nodes.node.find_resource(resource);
      for (const std::size_t index : nodes.pools) {
        const NodePool& pool = cluster_->pools[index];
        const auto held = used.find(pool.name);
        if (offer == nullptr || held == used.end()) continue;
        if (offer->amount - held->second.amount >= requested(resource)) continue;
        const auto& pods = held->second.pods;
        found.push_back(
            {&pool, std::nullopt,
             fmt::format("{} offers {} ({} {} used by {}{})", pool.name,
                         amount_text(resource, offer->amount),
                         amount_text(resource, held->second.amount),
                         held->second.amount == 1 ? "is" : "are", pods.front(),
                         pods.size() > 1 ? fmt::format(" and {} more", pods.size() - 1) : "")});
      }
    }
  }

  [[nodiscard]] CheckedClaim not_requested(const Claim& claim) const {
    CheckedClaim checked;
    checked.claim = claim;
    if (claim.key == "pods") return explain(claim);
    checked.standing = Standing::unexplained;
    checked.finding = fmt::format(
        "in these files the pod requests no `{}`: the Pending pod was created from other files",
        claim.key);
    checked.command = export_pod(event_.subject);
    return checked;
  }

  /// A Node that may offer the resource without listing it; null if there is none.
  [[nodiscard]] const NodePool* find_unlisting(std::string_view resource) const {
    const auto found = std::ranges::find_if(cluster_->pools, [&](const NodePool& pool) {
      return pool.source == NodePool::Source::node &&
             find_entry(pool.allocatable, resource) == nullptr;
    });
    return found == cluster_->pools.end() ? nullptr : &*found;
  }

  [[nodiscard]] static CheckedClaim unlisted(CheckedClaim checked, const NodePool& node) {
    checked.standing = Standing::explained;
    checked.command.clear();
    checked.finding = fmt::format(
        "{} does not list it: its device plugin does not advertise it, or a scheduler such as "
        "HAMi's counts it by itself",
        node.name);
    checked.found = node.node;
    return checked;
  }

  /// No node of the files has this obstacle.
  [[nodiscard]] CheckedClaim nothing_found(CheckedClaim checked, const Claim& claim) const {
    checked.standing = Standing::unexplained;
    checked.command = export_nodes;
    switch (claim.kind) {
      case ClaimKind::insufficient_resource:
        if (const NodePool* const node = find_unlisting(claim.key)) return unlisted(checked, *node);
        checked.finding = fmt::format(
            "every node in these files offers what is requested: other pods use it, or the nodes "
            "that lack it are not in the files");
        if (!lacks_nodes_) checked.command = export_pods;
        return checked;
      case ClaimKind::untolerated_taint:
        return tolerated_taint(std::move(checked), claim);
      case ClaimKind::node_affinity:
        checked.finding = "every node in these files has the required labels";
        return checked;
      default:
        checked.finding = "no node in these files is cordoned";
        return checked;
    }
  }

  [[nodiscard]] CheckedClaim tolerated_taint(CheckedClaim checked, const Claim& claim) const {
    for (const NodePool& pool : cluster_->pools) {
      for (const Taint& taint : pool.taints) {
        if (claim.key.empty() || !taint.key.equals(claim.key)) continue;
        checked.finding = fmt::format(
            "{} has this taint, but in these files the pod tolerates it: the Pending pod is older, "
            "or was created from other files",
            pool.name);
        checked.found = taint.node;
        checked.command = export_pod(event_.subject);
        return checked;
      }
    }
    checked.finding = claim.key.empty()
                          ? "in these files the pod tolerates the taints of every node"
                          : "no node in these files has this taint";
    return checked;
  }

  [[nodiscard]] CheckedClaim check_karpenter(const Claim& claim) const {
    const NodePool* named_pool = nullptr;
    bool has_pools = false;
    for (const NodePool& pool : cluster_->pools) {
      if (pool.karpenter == nullptr) continue;
      has_pools = true;
      if (pool.name == claim.pool) named_pool = &pool;
    }
    if (!claim.pool.empty() && named_pool == nullptr) {
      CheckedClaim checked = explain(claim);
      checked.standing = Standing::unexplained;
      checked.finding += fmt::format("; the files have {} `{}`",
                                     has_pools ? "no pool" : "no Karpenter pool", claim.pool);
      checked.command = export_pools;
      return checked;
    }
    CheckedClaim checked = check_pools(claim, [&](const NodePool& pool) {
      return pool.karpenter != nullptr && (named_pool == nullptr || &pool == named_pool);
    });
    if (claim.kind == ClaimKind::no_machine && named_pool != nullptr) {
      add_machines(*named_pool, checked);
    }
    return checked;
  }

  /// Adds the machine types that the pool may use.
  static void add_machines(const NodePool& pool, CheckedClaim& checked) {
    const PoolLabel* const machines = machine_label(pool);
    if (machines == nullptr) return;
    checked.finding +=
        fmt::format("; in these files it may use {}", fmt::join(machines->values, ", "));
    checked.found = machines->node;
    checked.command.clear();
  }

  /// For node groups of an autoscaler: compares with declared pools, then with nodes. Nodes have
  /// their group's labels and taints, but the autoscaler may not know their amounts.
  [[nodiscard]] CheckedClaim check_groups(const Claim& claim) const {
    const auto is_node = [](const NodePool& pool) { return pool.source == NodePool::Source::node; };
    CheckedClaim checked = check_pools(claim, std::not_fn(is_node));
    const bool is_amount = claim.kind == ClaimKind::insufficient_resource;
    if (checked.standing == Standing::explained || node_count_ == 0 || is_amount) return checked;
    checked = check_pools(claim, is_node);
    return checked.standing == Standing::explained ? checked
                                                   : nothing_found(std::move(checked), claim);
  }

  template <class IsAsked>
  [[nodiscard]] CheckedClaim check_pools(const Claim& claim, IsAsked is_asked) const {
    const std::vector<Refusing> found = refusing(claim, is_asked);
    CheckedClaim checked = explain(claim);
    if (found.empty()) return checked;
    checked.standing = Standing::explained;
    checked.finding = demand_of(claim, found.front()) + names_of_pools(found);
    checked.found = found.front().term->found;
    checked.command.clear();
    return checked;
  }

  const events::Event& event_;
  const Subject* subject_;
  const Cluster* cluster_;
  std::int64_t node_count_ = 0;
  bool lacks_nodes_ = false;
};

}  // namespace

bool is_of_topology(ClaimKind kind) {
  return kind == ClaimKind::volume || kind == ClaimKind::topology_spread ||
         kind == ClaimKind::pod_affinity;
}

EventStory check_event(const events::Event& event, const Subject* subject, const Cluster* cluster) {
  const bool has_pools = cluster != nullptr && !cluster->pools.empty();
  return ClaimCheck(event, subject, has_pools ? cluster : nullptr).run();
}

}  // namespace gpulint::why

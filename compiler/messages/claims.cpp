#include "compiler/messages/claims.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint::events {
namespace {

/// Words of a clause and what they mean; the first that occur decide.
constexpr auto meanings = std::to_array<std::pair<std::string_view, ClaimKind>>({
    {"reemption", ClaimKind::preemption},
    {"untolerated taint", ClaimKind::untolerated_taint},
    {"had taint", ClaimKind::untolerated_taint},
    {"PodToleratesNodeTaints", ClaimKind::untolerated_taint},
    {"TaintToleration", ClaimKind::untolerated_taint},
    {"volume", ClaimKind::volume},
    {"Volume", ClaimKind::volume},
    {"anti-affinity", ClaimKind::pod_affinity},
    {"pod affinity", ClaimKind::pod_affinity},
    {"InterPodAffinity", ClaimKind::pod_affinity},
    {"node affinity", ClaimKind::node_affinity},
    {"node selector", ClaimKind::node_affinity},
    {"MatchNodeSelector", ClaimKind::node_affinity},
    {"NodeAffinity", ClaimKind::node_affinity},
    {"unschedulable", ClaimKind::unschedulable},
    {"Unschedulable", ClaimKind::unschedulable},
    {"not ready", ClaimKind::node_condition},
    {"NotReady", ClaimKind::node_condition},
    {"pressure", ClaimKind::node_condition},
    {"unreachable", ClaimKind::node_condition},
    {"free ports", ClaimKind::host_ports},
    {"HostPorts", ClaimKind::host_ports},
    {"topology spread", ClaimKind::topology_spread},
    {"allocate all claims", ClaimKind::device_claim},
    {"resourceclaim", ClaimKind::device_claim},
    {"resource claim", ClaimKind::device_claim},
    {"max node group size", ClaimKind::pool_limit},
    {"max cluster", ClaimKind::pool_limit},
    {"in backoff after failed scale-up", ClaimKind::scale_up},
    {"not ready for scale-up", ClaimKind::scale_up},
});

/// A resource's name, not some words about one.
[[nodiscard]] bool is_resource(std::string_view word) {
  return !word.empty() && word.front() >= 'a' && word.front() <= 'z';
}

/// `{key: value}`, as the scheduler prints a taint; `{key}` of Go's maps has no value.
void read_taint(std::string_view clause, Claim& claim) {
  const std::string_view taint = between(clause, "{", "}");
  const std::size_t colon = taint.find(':');
  claim.key = trim(taint.substr(0, colon));
  if (colon != std::string_view::npos) claim.value = trim(taint.substr(colon + 1));
}

}  // namespace

std::string_view to_string(Speaker speaker) {
  switch (speaker) {
    case Speaker::scheduler:
      return "kube-scheduler";
    case Speaker::karpenter:
      return "karpenter";
    case Speaker::cluster_autoscaler:
      return "cluster-autoscaler";
    case Speaker::kueue:
      return "kueue";
    case Speaker::volcano:
      return "volcano";
    case Speaker::kai:
      return "kai-scheduler";
    case Speaker::kubelet:
      return "kubelet";
    case Speaker::api_server:
      return "kube-apiserver";
    case Speaker::runtime:
      return "container-runtime";
  }
  return {};
}

std::string_view to_string(ClaimKind kind) {
  constexpr auto names = std::to_array<std::string_view>({"insufficient-resource",
                                                          "untolerated-taint",
                                                          "node-affinity",
                                                          "unschedulable",
                                                          "node-condition",
                                                          "host-ports",
                                                          "pod-affinity",
                                                          "topology-spread",
                                                          "volume",
                                                          "device-claim",
                                                          "no-machine",
                                                          "pool-limit",
                                                          "scale-up",
                                                          "quota",
                                                          "gang",
                                                          "allocation-failed",
                                                          "pod-security",
                                                          "missing-object",
                                                          "invalid-amount",
                                                          "missing-runtime",
                                                          "missing-driver",
                                                          "missing-device",
                                                          "image-pull",
                                                          "preemption",
                                                          "other"});
  return names.at(static_cast<std::size_t>(kind));
}

Part part_of(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view words = trim(text.substr(begin, end - begin));
  if (words.empty()) return {words, begin};
  return {words, static_cast<std::size_t>(words.data() - text.data())};
}

std::size_t line_end(std::string_view text, std::size_t at, std::size_t longest) {
  const std::size_t limit = at + std::min(longest, text.size() - at);
  while (at < limit && !ends_line(text[at])) ++at;
  return at;
}

std::size_t find_before(std::string_view text, std::string_view word, std::size_t at,
                        std::size_t end) {
  return std::min(text.substr(0, end).find(word, at), end);
}

std::string_view row_before(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 1024;
  const std::size_t from = at - std::min(at, longest);
  const std::string_view window = text.substr(from, at - from);
  const std::size_t newline = window.rfind('\n');
  return newline == std::string_view::npos ? window : window.substr(newline + 1);
}

std::optional<Counted> take_count(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  std::size_t digits = 0;
  std::int64_t count = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    if (digits == most_digits) return std::nullopt;
    count = count * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || digits == text.size() || text[digits] != ' ') return std::nullopt;
  return Counted{count, trim(text.substr(digits))};
}

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + open.size());
  const std::size_t end = text.find(close);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

std::string_view word_behind(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text = text.substr(at + before.size());
  text = text.substr(0, text.find_first_of(" \t\n,;)\"'`"));
  while (text.ends_with('.') || text.ends_with(':') || text.ends_with('*')) text.remove_suffix(1);
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Claim make_claim(ClaimKind kind, const Part& part) {
  Claim claim;
  claim.kind = kind;
  claim.text = part.text;
  claim.begin = part.begin;
  claim.end = part.begin + part.text.size();
  return claim;
}

Claim read_clause(std::string_view clause, const Part& part) {
  if (clause.size() > 1 && equal_fold(clause.substr(0, 13), "insufficient ")) {
    Claim claim = make_claim(ClaimKind::insufficient_resource, part);
    claim.key = word_behind(clause, " ");
    if (!is_resource(claim.key)) {
      claim.kind = ClaimKind::other;
      claim.key.clear();
    }
    return claim;
  }
  if (contains(clause, "Too many pods")) {
    Claim claim = make_claim(ClaimKind::insufficient_resource, part);
    claim.key = "pods";
    return claim;
  }
  const auto meaning = std::ranges::find_if(
      meanings, [&](const auto& each) { return contains(clause, each.first); });
  Claim claim = make_claim(meaning == meanings.end() ? ClaimKind::other : meaning->second, part);
  if (claim.kind == ClaimKind::untolerated_taint) read_taint(clause, claim);
  return claim;
}

Event& add_event(Reading& reading, Speaker speaker, std::size_t begin, std::size_t end) {
  const Part part = part_of(reading.text, begin, end);
  Event& event = reading.events.emplace_back();
  event.speaker = speaker;
  event.text = part.text;
  event.begin = part.begin;
  event.end = part.begin + part.text.size();
  return event;
}

Event& add_single(Reading& reading, Speaker speaker, ClaimKind kind, std::size_t begin,
                  std::size_t end) {
  Event& event = add_event(reading, speaker, begin, end);
  event.claims.push_back(make_claim(kind, part_of(reading.text, begin, end)));
  return event;
}

}  // namespace gpulint::events

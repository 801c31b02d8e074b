#include "backends/why_words.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint {
namespace {

/// Keys of `plugins.k8s` are known by their own names.
[[nodiscard]] std::string_view short_key(std::string_view dotted) {
  constexpr std::string_view section = "plugins.k8s.";
  if (dotted.starts_with(section)) return dotted.substr(section.size());
  return dotted;
}

[[nodiscard]] std::string label_text(const Term& term) {
  if (term.key.empty()) return "does not match the node affinity";
  if (term.holds == Ternary::unknown) {
    return fmt::format("whether it has `{}` is not known", demand_text(term));
  }
  // Karpenter's: the pod says nothing of this label itself.
  if (term.op.empty()) {
    return fmt::format("what it requires of `{}` leaves nothing that is demanded", term.key);
  }
  if (!term.actual) return fmt::format("needs `{}`, has no such label", demand_text(term));
  const bool is_unwanted = term.op == "DoesNotExist" || term.op == "NotIn";
  return fmt::format("needs `{}`, has `{}`", demand_text(term),
                     is_unwanted ? fmt::format("{}={}", term.key, *term.actual) : *term.actual);
}

}  // namespace

std::string place_of_key(Node node, const SourceSet& sources) {
  const Span span = node.written().key_span();
  const SourceFile& file = sources.file(span);
  const Position at = file.position(span.begin);
  return fmt::format("{}:{}:{}", file.path(), at.line, at.column);
}

namespace {

[[nodiscard]] std::string_view stopped_text(Gate gate) {
  switch (gate) {
    case Gate::admission:
    case Gate::quota:
      return "is refused";
    case Gate::queue:
      return "is never admitted by its queue";
    case Gate::device:
      return "fits no node";
    case Gate::node:
      return "does not run on its node";
  }
  return {};
}

}  // namespace

bool is_without_nodes(const why::Story& story) {
  return story.groups.empty() && story.fitting.empty();
}

bool has_told_nodes(const why::Story& story) {
  const bool is_stopped = !story.refusals.empty() || passes(story.obstacles) == Ternary::no;
  return story.refusals.empty() &&
         (is_stopped ? story.fits_nodes == Ternary::no : story.fits_nodes != Ternary::yes);
}

std::string_view verdict_text(const why::Story& story) {
  return !story.refusals.empty()                  ? "is refused"
         : passes(story.obstacles) == Ternary::no ? stopped_text(first_of(story.obstacles)->gate)
         : story.fits == Ternary::yes             ? "fits"
         : story.fits == Ternary::unknown         ? "may fit, which is not certain"
         : is_without_nodes(story)                ? "no nodes among the inputs"
                                                  : "fits no node";
}

std::string_view no_change_text(const why::Story& story) {
  const bool is_by_hand = std::ranges::any_of(story.ways, &why::Way::changes_task);
  return is_by_hand ? "No automatic change helps" : "No change of these files helps";
}

std::string open_text(const why::Group& group) {
  return group.machines.empty()
             ? "what its machines offer is not in these files"
             : fmt::format(
                   "its machines offer enough ({}); Karpenter makes a node when the pod waits",
                   group.machines);
}

std::string term_text(const why::FailedTerm& failed) {
  const Term& term = failed.term;
  switch (term.kind) {
    case ReasonKind::untolerated_taint:
      if (!term.actual) return "it may have taints that are not listed";
      return fmt::format("has the taint `{}`, which is not tolerated", taint_text(term));
    case ReasonKind::unschedulable:
      if (!term.key.starts_with("node.kubernetes.io")) {
        return fmt::format("Karpenter refuses it: {}", term.key);
      }
      return "is cordoned";
    case ReasonKind::insufficient_resource:
      if (term.holds == Ternary::unknown) {
        return fmt::format("needs {} `{}`, how much it offers is not known",
                           fmt::join(term.values, ""), term.key);
      }
      return fmt::format("needs {} `{}`, offers {}", fmt::join(term.values, ""), term.key,
                         term.actual.value_or("none"));
    case ReasonKind::unallocated_claims:
      if (term.holds == Ternary::unknown) {
        return fmt::format("whether it has free devices for the claims is not known: {}", term.key);
      }
      return fmt::format("has no devices for the claims: {}", term.key);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      if (!failed.is_reserved) return label_text(term);
      return fmt::format("`{}` is reserved: Karpenter rejects pods that select it", term.key);
  }
  return {};
}

std::string origin_text(const why::FailedTerm& failed, const SourceSet& sources) {
  using Kind = why::Origin::Kind;
  const why::Origin& origin = failed.origin;
  const bool is_taint = failed.term.kind == ReasonKind::untolerated_taint;
  const std::string at = origin.node ? place_of_key(origin.node, sources) : "";
  constexpr std::string_view of_accelerator = "; the value is the task's accelerator";
  const std::string_view remark = origin.is_value_of_accelerator ? of_accelerator : "";
  const std::string_view verb = is_taint ? "a toleration belongs to" : "demanded by";
  switch (origin.kind) {
    case Kind::manifest:
      return at.empty() ? "demanded by the pod" : fmt::format("{} {}", verb, at);
    case Kind::configuration:
      return fmt::format("{} {}, `{}`{}", verb, at, short_key(origin.key), remark);
    case Kind::flyte_default:
      if (origin.key.starts_with("task_resources")) {
        return fmt::format("demanded by Flyte's default of `{}`", origin.key);
      }
      return fmt::format("{} `{}`, for which nothing is configured{}",
                         is_taint ? "a toleration belongs to" : "demanded by Flyte's default of",
                         short_key(origin.key), remark);
    case Kind::task:
      return at.empty() ? fmt::format("demanded by the task itself, `{}`", origin.key)
                        : fmt::format("demanded by {}, `{}`", at, origin.key);
  }
  return {};
}

}  // namespace gpulint

#include "rules/dra-claim/claim_fixes.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/edit/edits.h"
#include "rules/support/slips.h"

namespace gpulint::rules::dra_claim {
namespace {

[[nodiscard]] std::vector<std::string> unused_claims(const std::vector<DraProblem>& problems) {
  std::vector<std::string> names;
  for (const DraProblem& problem : problems) {
    if (problem.kind == DraProblem::Kind::unused_claim) names.push_back(problem.detail);
  }
  return names;
}

/// The pod's claims that the name is a slip of.
[[nodiscard]] std::vector<std::string> similar_claims(const PodSpec& pod, std::string_view name) {
  std::vector<std::string> similar;
  for (const Node claim : pod.node.get("resourceClaims").items()) {
    const Field<std::string> listed = read_string(claim, "name");
    if (listed.is_known() && is_slip_of(name, listed.value())) similar.push_back(listed.value());
  }
  return similar;
}

}  // namespace

void offer_listed_claim(const Corpus& corpus, Finding& finding, const PodSpec& pod,
                        const std::vector<DraProblem>& problems, const DraProblem& undeclared) {
  std::vector<std::string> meant = similar_claims(pod, undeclared.detail);
  const Safety safety = meant.empty() ? Safety::unsafe : Safety::safe;
  if (meant.empty()) meant = unused_claims(problems);
  if (meant.size() != 1) return;
  finding.fix(safety, fmt::format("write `{}`", meant.front()),
              replace_string(*corpus.sources, undeclared.node, meant.front()));
}

void offer_nested_class(const Corpus& corpus, Finding& finding, Node misplaced) {
  // An alias leads to where the class is defined, which may be in order.
  if (misplaced.parent().parent().key().text() != "requests") return;
  const std::vector<Node::Entry> entries = misplaced.parent().entries();
  const auto at = std::ranges::find(entries, misplaced, &Node::Entry::value);
  const bool is_first = std::all_of(
      entries.begin(), at, [](const Node::Entry& entry) { return entry.key.text() == "name"; });
  const bool has_name_behind = std::any_of(
      at, entries.end(), [](const Node::Entry& entry) { return entry.key.text() == "name"; });
  if (misplaced.key().text() != "deviceClassName" || !is_first || has_name_behind) return;
  finding.fix(Safety::safe, "put it below `exactly`",
              nest_from(*corpus.sources, misplaced, "exactly"));
}

}  // namespace gpulint::rules::dra_claim

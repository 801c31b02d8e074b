#include "compiler/fix/fix_trials.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace gpulint {
namespace {

/// The index of the document, not an embedded one, that contains the offset.
[[nodiscard]] std::optional<std::uint32_t> index_at(
    const std::vector<std::unique_ptr<Document>>& documents, FileId file, std::uint32_t offset) {
  const auto found = std::ranges::find_if(documents, [&](const auto& document) {
    return document->host == nullptr && document->file == file && document->span.begin <= offset &&
           offset <= document->span.end;
  });
  return found == documents.end() ? std::nullopt : std::optional((*found)->index);
}

constexpr std::size_t large_scope = 300;  // objects

}  // namespace

std::set<std::string> refused_files(const Project& project, const Scope& scope) {
  std::set<std::string> refused;
  for (const ApiFinding& finding : scope.api.findings()) {
    if (const Node node = finding.problem.node) {
      refused.insert(project.sources.file(node.span().file).path());
    }
  }
  return refused;
}

EditedDocuments::EditedDocuments(const Project& project, const FixPlan& plan) : project_(project) {
  for (const auto& [file, edits] : plan.edits) {
    for (const Edit& edit : edits) {
      if (const auto place = find(edit.span)) places_.insert(*place);
    }
  }
}

std::optional<DocumentPlace> EditedDocuments::find(Span span) const {
  if (span.file >= project_.documents.size()) return std::nullopt;
  const auto index = index_at(project_.documents[span.file], span.file, span.begin);
  return index ? std::optional(DocumentPlace(span.file, *index)) : std::nullopt;
}

std::optional<DocumentPlace> EditedDocuments::find(Span span, const Rereading& reading) const {
  if (span.file < project_.sources.size()) return find(span);
  const auto index = index_at(reading.documents, span.file, span.begin);
  if (!index) return std::nullopt;
  const std::string_view path = reading.sources.file(span.file).path();
  const auto found = std::ranges::find_if(places_, [&](const DocumentPlace& place) {
    return place.second == *index && project_.sources.file(place.first).path() == path;
  });
  return found == places_.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::size_t> EditedDocuments::culprits(
    const std::set<std::optional<DocumentPlace>>& spoilt,
    const std::vector<Diagnostic>& fixes) const {
  const bool is_elsewhere = std::ranges::any_of(
      spoilt, [&](const auto& place) { return !place || !places_.contains(*place); });
  std::vector<std::size_t> culprits;
  for (std::size_t i = 0; !is_elsewhere && i < fixes.size(); ++i) {
    const bool is_in_spoilt = std::ranges::any_of(
        fixes[i].fix->edits, [&](const Edit& edit) { return spoilt.contains(find(edit.span)); });
    if (is_in_spoilt) culprits.push_back(i);
  }
  return culprits;
}

FixTrials::FixTrials(const Scope& scope, Budget budget, RunTrial attempt, OnResult hear)
    : left_(scope.corpus.objects.size() > large_scope ? budget.of_large_scopes : budget.usual),
      attempt_(std::move(attempt)),
      hear_(std::move(hear)) {}

void FixTrials::run(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed) {
  if (claimed.empty()) return;
  if (left_ == 0) {
    for (const std::size_t i : claimed) hear_(i, Verdict::untried, "");
    return;
  }
  std::vector<Diagnostic> chosen;
  for (const std::size_t i : claimed) chosen.push_back(findings[i]);
  const FixPlan plan = plan_fixes(chosen, Safety::unsafe);
  const bool is_whole = plan.postponed == 0;  // true for a single fix
  if (is_whole) --left_;
  const Regression harm = is_whole ? attempt_(plan, chosen) : Regression{};
  if (is_whole && harm.text.empty()) {
    for (const std::size_t i : claimed) hear_(i, Verdict::passed, "");
  } else if (claimed.size() > 1) {
    divide(findings, claimed, harm.culprits);
  } else {
    hear_(claimed.front(), Verdict::failed, harm.text);
  }
}

void FixTrials::divide(const std::vector<Diagnostic>& findings,
                       std::span<const std::size_t> claimed,
                       const std::vector<std::size_t>& culprits) {
  if (culprits.empty() || culprits.size() == claimed.size()) {
    run(findings, claimed.first(claimed.size() / 2));
    run(findings, claimed.subspan(claimed.size() / 2));
    return;
  }
  std::vector<std::size_t> innocent;
  std::vector<std::size_t> suspect;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    (std::ranges::binary_search(culprits, i) ? suspect : innocent).push_back(claimed[i]);
  }
  run(findings, innocent);
  run(findings, suspect);
}

}  // namespace gpulint

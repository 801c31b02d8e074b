#include "compiler/fix/fix_trials.h"

#include <algorithm>

namespace gpulint {
namespace {

constexpr std::size_t large_scope = 300;      // objects
constexpr std::size_t least_objects = 2'000;  // that trials of a large scope may read

[[nodiscard]] std::size_t size_of(const TrialGround& ground) {
  return ground.scope().corpus.objects.size() + 1;
}

void tell_all(std::span<const std::size_t> candidates, FixTrials::Verdict verdict, const auto& tell,
              const std::string& harm = {}) {
  for (const std::size_t i : candidates) tell(i, verdict, harm);
}

}  // namespace

const Document* find_document(const std::vector<std::unique_ptr<Document>>& documents, Span span) {
  const auto found = std::ranges::find_if(documents, [&](const auto& each) {
    return each->host == nullptr && each->file == span.file && each->span.begin <= span.begin &&
           span.begin <= each->span.end;
  });
  return found == documents.end() ? nullptr : found->get();
}

Trial::Trial(const Project& project, std::vector<Diagnostic> wanted)
    : fixes(std::move(wanted)), plan(plan_fixes(fixes, Safety::unsafe)), project_(project) {}

const Rereading& Trial::apply_to(const TrialGround& ground) {
  reading_ = ground.apply(plan.edits);
  for (const auto& [file, edits] : plan.edits) {
    for (const Edit& edit : edits) {
      if (const auto place = find(edit.span)) edited_.insert(*place);
    }
  }
  return *reading_;
}

void Trial::spoil(Span span, std::string_view kind, const std::string& text, int by) {
  std::optional<DocumentPlace> place = find(span);
  if (place && !edited_.contains(*place)) place.reset();
  excess_[{place, kind}] += by;
  if (by > 0) texts_.try_emplace(place, text);
}

Regression Trial::outcome(std::string text) const {
  Regression result{std::move(text), {}};
  std::map<std::optional<DocumentPlace>, std::size_t> spoilt;  // how many fixes edit it
  for (const auto& [key, more] : excess_) {
    if (more > 0) spoilt.emplace(key.first, 0);
  }
  if (spoilt.empty() || spoilt.contains(std::nullopt)) return result;
  std::vector<std::set<DocumentPlace>> places(fixes.size());
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    for (const Edit& edit : fixes[i].fix->edits) {
      const auto place = find(edit.span);
      if (place && spoilt.contains(place)) places[i].insert(*place);
    }
    for (const DocumentPlace& place : places[i]) ++spoilt[place];
  }
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    if (places[i].empty()) continue;
    const auto certain = std::ranges::find_if(
        places[i], [&](const DocumentPlace& place) { return spoilt[place] == 1; });
    const bool is_certain = certain != places[i].end();
    result.causes.push_back({i, texts_.at(is_certain ? *certain : *places[i].begin()), is_certain});
  }
  return result;
}

const Document* Trial::document_at(Span span) const {
  if (span.file >= project_.sources.size()) return find_document(reading_->documents, span);
  return span.file < project_.documents.size() ? find_document(project_.documents[span.file], span)
                                               : nullptr;
}

std::optional<DocumentPlace> Trial::find(Span span) const {
  const Document* const document = document_at(span);
  if (document == nullptr) return std::nullopt;
  if (span.file < project_.sources.size()) return DocumentPlace(span.file, document->index);
  const std::string_view path = reading_->sources.file(span.file).path();
  const auto found = std::ranges::find_if(edited_, [&](const DocumentPlace& place) {
    return place.second == document->index && project_.sources.file(place.first).path() == path;
  });
  return found == edited_.end() ? std::nullopt : std::optional(*found);
}

FixTrials::FixTrials(const Project& project, std::vector<Diagnostic>& findings,
                     const TrialGround& ground, std::size_t most, FindHarm find_harm,
                     OnResult on_result)
    : project_(project),
      findings_(findings),
      ground_(ground),
      is_large_(size_of(ground) > large_scope),
      left_(is_large_ ? std::max(3 * size_of(ground), least_objects) : most * size_of(ground)),
      find_harm_(std::move(find_harm)),
      on_result_(std::move(on_result)) {}

void FixTrials::run(std::span<const std::size_t> candidates) {
  const auto tell = [&](std::size_t i, Verdict verdict, const std::string& harm) {
    on_result_(findings_[i], verdict, harm);
  };
  if (!is_large_) return try_set(candidates, tell);
  std::vector<std::size_t> separate;
  std::vector<std::size_t> others;
  for (const std::size_t i : candidates) {
    const bool is_separate = std::ranges::all_of(
        findings_[i].fix->edits, [&](const Edit& edit) { return ground_.is_separate(edit.span); });
    (is_separate ? separate : others).push_back(i);
  }
  std::vector<std::size_t> passed;
  in_parts_ = true;
  try_set(separate, [&](std::size_t i, Verdict verdict, const std::string& harm) {
    if (verdict == Verdict::passed) return passed.push_back(i);
    tell(i, verdict, harm);
  });
  in_parts_ = false;
  std::ranges::sort(passed);
  try_set(passed, tell);
  try_set(others, tell);
}

void FixTrials::try_set(std::span<const std::size_t> candidates, const Tell& tell) {
  if (candidates.empty()) return;
  if (left_ == 0) return tell_all(candidates, Verdict::untried, tell);
  std::vector<Diagnostic> chosen;
  for (const std::size_t i : candidates) chosen.push_back(findings_[i]);
  Trial trial(project_, std::move(chosen));
  const bool is_whole = trial.plan.postponed == 0;  // true for a single fix
  const Regression harm = is_whole ? harm_of(trial) : Regression{};
  if (is_whole && harm.text.empty()) return tell_all(candidates, Verdict::passed, tell);
  if (candidates.size() == 1) return tell_all(candidates, Verdict::failed, tell, harm.text);
  divide(candidates, harm.causes, tell);
}

Regression FixTrials::harm_of(Trial& trial) {
  if (!in_parts_) {
    left_ -= std::min(left_, size_of(ground_));
    return find_harm_(trial, ground_);
  }
  const TrialGround part(ground_, trial.plan.edits);
  left_ -= std::min(left_, 2 * size_of(part));  // before and after the fixes
  return find_harm_(trial, part);
}

void FixTrials::divide(std::span<const std::size_t> candidates,
                       const std::vector<Regression::Cause>& causes, const Tell& tell) {
  std::vector<std::size_t> innocent(candidates.begin(), candidates.end());
  std::vector<std::size_t> suspect;
  for (const Regression::Cause& cause : causes) {
    const std::size_t candidate = candidates[cause.fix];
    std::erase(innocent, candidate);
    if (in_parts_ && cause.is_certain) {
      tell(candidate, Verdict::failed, cause.text);
    } else {
      suspect.push_back(candidate);
    }
  }
  if (!innocent.empty() && innocent.size() < candidates.size()) {
    try_set(innocent, tell);
    return try_set(suspect, tell);
  }
  const std::span<const std::size_t> rest = innocent.empty() ? suspect : innocent;
  try_set(rest.first(rest.size() / 2), tell);
  try_set(rest.subspan(rest.size() / 2), tell);
}

}  // namespace gpulint

#include "compiler/fix/trial_ground.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "compiler/engine/registry.h"
#include "compiler/project/project.h"

namespace gpulint {
namespace {

/// Kinds whose pods no other workload needs. DaemonSets reduce what nodes offer.
constexpr auto separate_kinds = std::to_array<std::string_view>(
    {"CronJob", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"});

/// The documents that contain nothing but such workloads.
[[nodiscard]] std::set<const Document*> separate_documents(const ScopeModel& model) {
  std::set<const Document*> separate;
  if (!model.made.empty() || !model.fragments.empty()) return separate;  // parts of others
  std::set<const Document*> others;
  for (const Document* document : model.documents) {
    if (document->host != nullptr) others.insert(document->host);
  }
  for (const KubernetesObject& object : model.objects) {
    const bool is_separate = std::ranges::any_of(
        separate_kinds, [&](std::string_view kind) { return object.kind.equals(kind); });
    (is_separate ? separate : others).insert(object.node.document());
  }
  std::erase_if(separate, [&](const Document* document) {
    return document->host != nullptr || others.contains(document);
  });
  return separate;
}

[[nodiscard]] bool is_in(const std::set<const Document*>& documents, Span span) {
  return std::ranges::any_of(documents, [&](const Document* document) {
    return document->file == span.file && document->span.contains(span);
  });
}

}  // namespace

TrialGround::TrialGround(const CheckedScope& given, const std::vector<Diagnostic>& findings)
    : given_(&given),
      merged_(merge_equal_nodes(given.scope)),
      separate_(separate_documents(given.scope.corpus)),
      extract_{&given.project.nodes_shared_by(given.scope)},
      checked_(&given) {
  if (!merged_ || std::ranges::any_of(findings, [&](const auto& f) { return edits_nodes(f); })) {
    findings_ = findings;
    return;
  }
  extract_.nodes = &*merged_;
  reading_ = reread(given.project, given.scope, {}, extract_);
  checked_ = &rechecked_.emplace(given.project, *reading_->scope, given.selection, given.of_files);
  std::ranges::copy_if(findings, std::back_inserter(findings_), [&](const Diagnostic& finding) {
    return !is_in(merged_->documents, finding.span);
  });
}

TrialGround::TrialGround(const TrialGround& whole, const std::map<FileId, std::vector<Edit>>& edits)
    : given_(whole.given_), extract_(whole.extract_), checked_(nullptr) {
  const Project& project = given_->project;
  extract_.left_out = whole.separate_;
  for (const auto& [file, own] : edits) {
    const auto edited = edited_documents(project.sources.file(file), project.documents[file], own);
    std::erase_if(extract_.left_out, [&](const Document* document) {
      return document->file == file && (!edited || edited->contains(document));
    });
  }
  reading_ = reread(project, whole.scope(), {}, extract_);
  const Corpus& corpus = reading_->scope->corpus;
  checked_ = &rechecked_.emplace(project, *reading_->scope, given_->selection,
                                 run_file_rules(corpus, all_rules(), given_->selection));
  findings_ = run_scope_rules(corpus, checked_->of_files, all_rules(), given_->selection);
}

std::unique_ptr<Rereading> TrialGround::apply(
    const std::map<FileId, std::vector<Edit>>& edits) const {
  return reread(given_->project, scope(), edits, extract_);
}

bool TrialGround::is_separate(Span span) const { return is_in(separate_, span); }

bool TrialGround::edits_nodes(const Diagnostic& finding) const {
  return finding.fix && std::ranges::any_of(finding.fix->edits, [this](const Edit& edit) {
           return is_in(merged_->documents, edit.span);
         });
}

}  // namespace gpulint

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api_validation/api_review.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/corpus.h"
#include "compiler/flyte/analysis.h"
#include "compiler/ir/document.h"
#include "compiler/model/pools/node_classes.h"
#include "compiler/model/scope/document_facts.h"
#include "compiler/project/scopes.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint {

/// Files that are checked together, and their analysis. Made by analyze_scope() and const from then
/// on. Its parts point into one another, so it cannot be moved.
struct Scope : ScopePlan {
  Scope(ScopePlan plan, unsigned threads) : ScopePlan(std::move(plan)), jobs(threads) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  unsigned jobs;  ///< Threads for work on this scope, as in parallel_for().
  Corpus corpus;  ///< Points into the other members and into the documents.
  flyte::Analysis flyte;
  bool runs_on_defaults = false;  ///< `flyte` uses the defaults: no input configures Flyte.
  ApiReview api;                  ///< Only for Depth::checked.
  PlacementAnalysis placement;
};

/// Why gpulint joined the files: "the nodes of a.yaml are the nearest in the tree". Empty if the
/// user named them together.
[[nodiscard]] std::string why_joined(const ScopePlan& scope, const SourceSet& sources);

/// The scopes of a run, in order.
class Scopes {
 public:
  class Iterator {
   public:
    using value_type = Scope;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(const std::unique_ptr<const Scope>* at) : at_(at) {}
    const Scope& operator*() const { return **at_; }
    const Scope* operator->() const { return at_->get(); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const std::unique_ptr<const Scope>* at_ = nullptr;
  };

  Scopes() = default;
  explicit Scopes(std::vector<std::unique_ptr<const Scope>> scopes) : scopes_(std::move(scopes)) {}

  [[nodiscard]] Iterator begin() const { return Iterator(scopes_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(scopes_.data() + scopes_.size()); }
  [[nodiscard]] std::size_t size() const { return scopes_.size(); }
  [[nodiscard]] bool empty() const { return scopes_.empty(); }
  [[nodiscard]] const Scope& operator[](std::size_t i) const { return *scopes_[i]; }
  [[nodiscard]] const Scope& front() const { return *scopes_.front(); }
  void replace(std::size_t i, std::unique_ptr<const Scope> scope) { scopes_[i] = std::move(scope); }

 private:
  std::vector<std::unique_ptr<const Scope>> scopes_;
};

/// Nodes that workloads of a scope run on, but that its rules do not check: several scopes share
/// them, or a trial of fixes does not edit them.
struct SharedNodes {
  std::set<const Document*> documents;  ///< Documents that contain only Nodes.
  NodeClasses kinds;                    ///< Of these documents; all nodes if each node is shown.
};

/// How much of a scope is analyzed.
enum class Depth : std::uint8_t {
  compiled,  ///< The model and the pods of Flyte tasks.
  placed,    ///< Also on which nodes workloads fit, and the obstacles.
  checked,   ///< Also which objects the API server rejects: for rules.
};

/// Analyzes a scope: the model of its documents, the pods of tasks, obstacles, rejected objects.
/// `documents`: of the files of the plan, in order, with embedded ones; `sources` has their text.
/// `shared`: those of them that rules do not check.
/// `before`: a scope whose review of common documents is reused; may be null. All arguments except
/// `before` and `facts` must outlive the result.
[[nodiscard]] std::unique_ptr<const Scope> analyze_scope(
    ScopePlan plan, const std::vector<const Document*>& documents, const SourceSet& sources,
    const SharedNodes& shared, const FactStore& facts, Depth depth, unsigned jobs,
    const Scope* before = nullptr);

}  // namespace gpulint

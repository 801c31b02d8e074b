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
#include "compiler/flyte/analysis.h"
#include "compiler/ir/document.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/node_classes.h"
#include "compiler/project/scopes.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint {

/// Files that belong together, and everything known of them: made by analyze_scope(), const ever
/// after. Its parts point into one another, so that it stays where it was made.
struct Scope : ScopePlan {
  Scope(ScopePlan plan, unsigned threads) : ScopePlan(std::move(plan)), jobs(threads) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  unsigned jobs;  ///< Threads for what is done within it, as in parallel_for().
  Corpus corpus;  ///< Points into the rest and into the documents.
  flyte::Analysis flyte;
  bool runs_on_defaults = false;  ///< `flyte` is Flyte's defaults, for want of any configuration.
  ApiReview api;                  ///< Filled in where rules run, as is the next.
  PlacementAnalysis placement;
};

/// Why files that nobody named together are: «the nodes of a.yaml are the nearest in the tree»;
/// empty where somebody has.
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

 private:
  std::vector<std::unique_ptr<const Scope>> scopes_;
};

/// Nodes that many scopes run on, read once. Rules judge them in a scope of their own.
struct SharedNodes {
  std::set<const Document*> documents;  ///< Those of nothing but Nodes.
  NodeClasses kinds;                    ///< Of these; every single node where nodes are shown.
};

/// How far a scope is looked into.
enum class Depth : std::uint8_t {
  compiled,  ///< What Flyte makes of it.
  placed,    ///< Also why workloads fit no node: for gates.
  checked,   ///< Also what the API server refuses: for rules.
};

/// documents → what they mean → pods of tasks → refusals → places. `documents`: those of the plan's
/// files, in order, with the embedded ones; `sources` hold their text. `before`: a scope from which
/// the review of objects of common documents is taken over; may be null. All but `before` and
/// `facts` must outlive the result.
[[nodiscard]] std::unique_ptr<const Scope> analyze_scope(
    ScopePlan plan, const std::vector<const Document*>& documents, const SourceSet& sources,
    const SharedNodes& shared, const FactStore& facts, Depth depth, unsigned jobs,
    const Scope* before = nullptr);

}  // namespace gpulint

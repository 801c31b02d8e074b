#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/workload.h"

namespace gpulint {

/// The possible values of one label, as Karpenter represents them: a set, or everything but a set,
/// within bounds (karpenter/pkg/scheduling Requirement). Sets are intersected, never sampled.
class KarpenterRequirement {
 public:
  using Values = std::set<std::string, std::less<>>;

  /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`, `Gte`, `Lte`; unknown operators mean
  /// `Exists`.
  KarpenterRequirement(std::string_view op, Values values);
  /// An opaque requirement: it may be anything.
  [[nodiscard]] static KarpenterRequirement open();

  [[nodiscard]] KarpenterRequirement intersection(const KarpenterRequirement& other) const;
  [[nodiscard]] bool has_intersection(const KarpenterRequirement& other) const;
  [[nodiscard]] bool allows(const std::string& value) const;
  /// `NotIn` or `DoesNotExist`: also matches if the label is not defined.
  [[nodiscard]] bool allows_absence() const;
  [[nodiscard]] bool is_open() const { return is_open_; }

  [[nodiscard]] bool is_complement() const { return is_complement_; }
  [[nodiscard]] const Values& values() const { return values_; }

 private:
  KarpenterRequirement() = default;

  bool is_complement_ = false;
  bool is_open_ = false;
  Values values_;
  std::optional<std::int64_t> least_;
  std::optional<std::int64_t> most_;
};

/// Requirements by label, with aliases of labels replaced by Karpenter's names.
class KarpenterRequirements {
 public:
  void add(std::string_view key, const KarpenterRequirement& requirement);
  void add(const SelectorRequirement& requirement);
  void add(const LabelEntry& label);

  [[nodiscard]] const KarpenterRequirement* find(std::string_view key) const;
  [[nodiscard]] const std::map<std::string, KarpenterRequirement, std::less<>>& by_key() const {
    return by_key_;
  }
  /// Some part is opaque, so a match is not certain.
  [[nodiscard]] bool is_open() const { return is_open_; }

 private:
  std::map<std::string, KarpenterRequirement, std::less<>> by_key_;
  bool is_open_ = false;
};

/// The label that Karpenter uses instead of this one.
[[nodiscard]] std::string_view normalized_label(std::string_view key);

}  // namespace gpulint

#include "compiler/model/pools/karpenter_requirement.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "compiler/model/facts/karpenter_catalog.h"
#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

using Bound = std::optional<std::int64_t>;

[[nodiscard]] Bound greater(Bound a, Bound b) { return a && b ? std::max(*a, *b) : a ? a : b; }
[[nodiscard]] Bound lesser(Bound a, Bound b) { return a && b ? std::min(*a, *b) : a ? a : b; }

[[nodiscard]] bool is_within(std::string_view value, Bound least, Bound most) {
  if (!least && !most) return true;
  const auto number = parse_go_int(value);
  return number && (!least || *number >= *least) && (!most || *number <= *most);
}

/// The value of a bound that cannot be read.
[[nodiscard]] std::int64_t bound_of(const KarpenterRequirement::Values& values) {
  return values.empty() ? 0 : parse_go_int(*values.begin()).value_or(0);
}

[[nodiscard]] std::optional<std::string_view> certain_text(const Field<std::string>& field) {
  if (field.is_known()) return field.value();
  if (field.is_absent()) return "";
  return std::nullopt;
}

}  // namespace

KarpenterRequirement::KarpenterRequirement(std::string_view op, Values values) {
  is_complement_ = op != "In" && op != "DoesNotExist";
  if (op == "In" || op == "NotIn") {
    values_ = std::move(values);
    return;
  }
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t bound = bound_of(values);
  if (op == "Gt") {
    is_complement_ = bound != largest;  // nothing is greater
    if (is_complement_) least_ = bound + 1;
  } else if (op == "Lt") {
    most_ = bound == std::numeric_limits<std::int64_t>::min() ? largest : bound - 1;
  } else if (op == "Gte") {
    least_ = bound;
  } else if (op == "Lte") {
    most_ = bound;
  }
}

KarpenterRequirement KarpenterRequirement::open() {
  KarpenterRequirement requirement("Exists", {});
  requirement.is_open_ = true;
  return requirement;
}

KarpenterRequirement KarpenterRequirement::intersection(const KarpenterRequirement& other) const {
  KarpenterRequirement result;
  result.is_open_ = is_open_ || other.is_open_;
  const Bound least = greater(least_, other.least_);
  const Bound most = lesser(most_, other.most_);
  if (least && most && *least > *most) return result;  // DoesNotExist
  result.is_complement_ = is_complement_ && other.is_complement_;
  const auto into = std::inserter(result.values_, result.values_.end());
  if (is_complement_ && other.is_complement_) {
    std::ranges::set_union(values_, other.values_, into);
  } else if (is_complement_) {
    std::ranges::set_difference(other.values_, values_, into);
  } else if (other.is_complement_) {
    std::ranges::set_difference(values_, other.values_, into);
  } else {
    std::ranges::set_intersection(values_, other.values_, into);
  }
  std::erase_if(result.values_,
                [&](const std::string& value) { return !is_within(value, least, most); });
  if (result.is_complement_) {
    result.least_ = least;
    result.most_ = most;
  }
  return result;
}

bool KarpenterRequirement::has_intersection(const KarpenterRequirement& other) const {
  const Bound least = greater(least_, other.least_);
  const Bound most = lesser(most_, other.most_);
  if (least && most && *least > *most) return false;
  if (is_complement_ && other.is_complement_) return true;
  const KarpenterRequirement& listed = is_complement_ ? other : *this;
  const KarpenterRequirement& rest = is_complement_ ? *this : other;
  return std::ranges::any_of(listed.values_, [&](const std::string& value) {
    return rest.values_.contains(value) != rest.is_complement_ && is_within(value, least, most);
  });
}

bool KarpenterRequirement::allows(const std::string& value) const {
  return values_.contains(value) != is_complement_ && is_within(value, least_, most_);
}

bool KarpenterRequirement::allows_absence() const {
  return is_complement_ ? !values_.empty() : values_.empty();
}

void KarpenterRequirements::add(std::string_view key, const KarpenterRequirement& requirement) {
  is_open_ = is_open_ || requirement.is_open();
  const auto [at, is_new] = by_key_.try_emplace(std::string(normalized_label(key)), requirement);
  if (!is_new) at->second = requirement.intersection(at->second);
}

void KarpenterRequirements::add(const SelectorRequirement& requirement) {
  const auto key = certain_text(requirement.key);
  const auto op = certain_text(requirement.op);
  if (!key) {
    is_open_ = true;
    return;
  }
  KarpenterRequirement::Values values;
  bool is_certain = op.has_value();
  for (const Field<std::string>& value : requirement.values) {
    const auto text = certain_text(value);
    is_certain = is_certain && text;
    if (text) values.emplace(*text);
  }
  add(*key,
      is_certain ? KarpenterRequirement(*op, std::move(values)) : KarpenterRequirement::open());
}

void KarpenterRequirements::add(const LabelEntry& label) {
  const auto value = certain_text(label.value);
  add(label.key.value,
      value ? KarpenterRequirement("In", {std::string(*value)}) : KarpenterRequirement::open());
}

const KarpenterRequirement* KarpenterRequirements::find(std::string_view key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

std::string_view normalized_label(std::string_view key) {
  for (const NormalizedLabel& label : karpenter_normalized_labels()) {
    if (label.from == key) return label.to;
  }
  return key;
}

}  // namespace gpulint

#pragma once

#include <array>
#include <span>
#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint::rules {

/// `==`, `Equals` and similar words of other systems for the operator `Equal`.
[[nodiscard]] bool means_equal(std::string_view word);

/// The only words that the Kubernetes API accepts for a field (core/v1).
struct ApiWords {
  std::string_view what;
  std::span<const std::string_view> known;
  std::string_view equal;      ///< The word for `==` and `Equals` of other systems; may be empty.
  std::string_view missing{};  ///< The message for a mapping without a word.

  [[nodiscard]] bool has(std::string_view word) const;
  /// The word for another spelling, such as Google Cloud's `NO_SCHEDULE`; empty if none is near.
  [[nodiscard]] std::string_view meant_by(std::string_view written) const;
};

namespace words {
inline constexpr std::array<std::string_view, 2> toleration_operators = {"Equal", "Exists"};
inline constexpr std::array<std::string_view, 3> taint_effects = {"NoSchedule", "PreferNoSchedule",
                                                                  "NoExecute"};
inline constexpr std::array<std::string_view, 6> selector_operators = {
    "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
}  // namespace words

inline constexpr ApiWords toleration_operators{"toleration operator", words::toleration_operators,
                                               "Equal"};
inline constexpr ApiWords taint_effects{
    "taint effect", words::taint_effects, {}, "this taint has no `effect`"};
inline constexpr ApiWords selector_operators{"node selector operator", words::selector_operators,
                                             "In", "this requirement has no `operator`"};

/// Reports a scalar that is not one of the words, or a mapping without one. The help lists the
/// words; a safe fix corrects the spelling, but not in pools' taints of one text, `VALUE:EFFECT`.
Finding report_word(const Corpus& corpus, Reporter& reporter, Node at, const ApiWords& words);

}  // namespace gpulint::rules

#pragma once

#include <array>
#include <span>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules {

/// `==`, `Equals` and the like, which other systems write for the operator `Equal`.
[[nodiscard]] bool means_equal(std::string_view word);

/// Words that the Kubernetes API takes where it takes no others (core/v1).
struct ApiWords {
  std::string_view what;
  std::span<const std::string_view> known;
  std::string_view equal;  ///< What `==` and `Equals` of other systems mean here; may be empty.

  [[nodiscard]] bool has(std::string_view word) const;
  /// The one that is meant by another spelling, Google Cloud's `NO_SCHEDULE` among them; empty
  /// where none is near.
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
inline constexpr ApiWords taint_effects{"taint effect", words::taint_effects, {}};
inline constexpr ApiWords selector_operators{"node selector operator", words::selector_operators,
                                             "In"};

/// Reports a scalar that is none of the words, or a mapping that lacks one, with the words in the
/// help and a safe fix where one is meant. Taints of pools may be written as one text,
/// `VALUE:EFFECT`, which is left to the author.
Finding report_word(const Corpus& corpus, Reporter& reporter, Node at, const ApiWords& words);

}  // namespace gpulint::rules

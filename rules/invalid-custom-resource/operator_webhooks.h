#pragma once

#include <span>
#include <string_view>

#include "compiler/engine/rule.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::invalid_custom_resource {

inline constexpr std::string_view rejects = "the API server rejects the object";

/// Reports a value that is not one of the `words`, and writes the word that was probably meant.
void report_word(const Corpus& corpus, Reporter& reporter, Node at, std::string_view path,
                 std::span<const std::string_view> words);

/// Checks of operators beyond their definitions: what their own code rejects or ignores.
void check_webhooks(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource

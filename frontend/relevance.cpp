#include "frontend/relevance.h"

#include <re2/re2.h>

namespace gpulint {
namespace {

/// The files `triggers` of this folder and of the rules' (frontend/CMakeLists.txt).
constexpr const char* triggers =
#include "triggers.inc"
    ;

}  // namespace

bool may_concern_gpus(std::string_view text) {
  static const RE2 pattern(triggers);  // compiled once, on first use; matching is thread-safe
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool may_hold_encoded_values(std::string_view text) {
  const auto holds = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  return holds("Secret") && holds("values") && holds("data");
}

}  // namespace gpulint

#include "rules/support/label_edits.h"

#include <algorithm>
#include <variant>

#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// False where it cannot be done.
[[nodiscard]] bool add_edits(const SourceSet& sources, const UnmatchedRequirement& unmatched,
                             const MeantLabel& meant, std::vector<Edit>& edits) {
  const auto replace = [&](Node written, const std::string& is, const std::string& due) {
    if (is == due) return true;
    if (!written || written.text() != is) return false;
    const std::vector<Edit> edit = replace_string(sources, written, due);
    edits.insert(edits.end(), edit.begin(), edit.end());
    return !edit.empty();
  };
  if (!replace(unmatched.key_node, unmatched.key, meant.key)) return false;
  return unmatched.wanted.empty() ||
         replace(unmatched.value_node, unmatched.wanted.front(), meant.value);
}

}  // namespace

std::vector<Edit> correct_labels(const SourceSet& sources, const std::vector<const Cause*>& causes,
                                 const MeantLabel& meant) {
  std::vector<Edit> edits;
  for (const Cause* cause : causes) {
    const auto& unmatched = std::get<UnmatchedRequirement>(cause->what);
    if (!add_edits(sources, unmatched, meant, edits)) return {};
  }
  std::ranges::sort(edits);
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  return edits;
}

}  // namespace gpulint::rules

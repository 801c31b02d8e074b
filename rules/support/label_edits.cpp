#include "rules/support/label_edits.h"

#include <algorithm>
#include <variant>

#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// Adds the edit that makes `due` of what is written; false where it cannot be done.
[[nodiscard]] bool replace(const SourceSet& sources, Node written, const std::string& is,
                           const std::string& due, std::vector<Edit>& edits) {
  if (is == due) return true;
  if (!written || written.text() != is) return false;
  const std::vector<Edit> edit = replace_string(sources, written, due);
  edits.insert(edits.end(), edit.begin(), edit.end());
  return !edit.empty();
}

}  // namespace

std::vector<Edit> correct_labels(const SourceSet& sources, const Cause& cause,
                                 const MeantLabel& meant) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  std::vector<Edit> edits;
  const bool is_key_due = replace(sources, unmatched.key_node, unmatched.key, meant.key, edits);
  const bool is_due = is_key_due && (unmatched.wanted.empty() ||
                                     replace(sources, unmatched.value_node,
                                             unmatched.wanted.front(), meant.value, edits));
  if (!is_due) return {};
  std::ranges::sort(edits);
  return edits;
}

}  // namespace gpulint::rules

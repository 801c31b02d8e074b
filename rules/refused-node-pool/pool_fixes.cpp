#include "rules/refused-node-pool/pool_fixes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_node_pool {
namespace {

using Effects = std::array<std::string_view, 3>;
constexpr Effects effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};
/// The same in the spelling of Google's API, and of Cluster API's AWS objects.
constexpr Effects google_effects{"NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"};
constexpr Effects aws_effects{"no-schedule", "prefer-no-schedule", "no-execute"};

[[nodiscard]] std::string letters_of(std::string_view effect) {
  std::string letters = to_lower(effect);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
  return letters;
}

struct MeantEffect {
  std::string_view text;  ///< Empty: none is likely.
  Safety safety = Safety::unsafe;
};

/// The effect that is meant, as the tool spells it, by which the error lists them.
[[nodiscard]] MeantEffect meant_effect(std::string_view written, std::string_view error) {
  const Effects& spelling = error.find(google_effects[0]) != error.npos ? google_effects
                            : error.find(aws_effects[0]) != error.npos  ? aws_effects
                                                                        : effects;
  const std::string letters = letters_of(written);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const std::string known = letters_of(effects[i]);
    if (known == letters) return {spelling[i], Safety::safe};
    if (edit_distance(letters, known, 2) <= 2) return {spelling[i], Safety::unsafe};
  }
  return {};
}

/// `NoScheduled` of `dedicated=gpu:NoScheduled`.
[[nodiscard]] std::string_view effect_in(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

void offer_effect(const Corpus& corpus, Node place, std::string_view error, Finding& finding) {
  const std::string_view written = effect_in(place.text());
  const MeantEffect meant = meant_effect(written, error);
  if (meant.text.empty() || meant.text == written) return;
  std::string text(place.text());
  text.replace(text.size() - written.size(), written.size(), meant.text);
  finding.fix(meant.safety, fmt::format("write `{}`", meant.text),
              replace_string(*corpus.sources, place, text));
}

/// The first value that is no string where only strings are read; nothing where there is none.
[[nodiscard]] Node find_other_type(const NodePool& pool, std::string_view error) {
  Node found;
  for (const std::string_view map : {"labels", "nodeLabels", "taints"}) {
    if (error.find(fmt::format("decode: {} must be", map)) == error.npos) continue;
    const Node in_spec = pool.node.at("spec", map);
    walk(in_spec ? in_spec : pool.node.get(map), [&](Node at) {
      const bool is_value = at.is_scalar() && !at.is_opaque() && read_string(at).is_mistyped();
      const bool is_item = at.is_mapping() && error.find("list of strings") != error.npos;
      if (!found && (is_value || is_item)) found = at;
    });
  }
  return found;
}

}  // namespace

ErrorPlace find_error_place(const NodePool& pool, std::string_view error) {
  if (const Node other = find_other_type(pool, error)) return {other, other.span()};
  ErrorPlace place{{}, name_node(pool).span()};
  std::size_t longest = 3;  // shorter ones stand in any sentence
  walk(pool.node, [&](Node at) {
    const auto take = [&](std::string_view text, Span span) {
      if (text.size() <= longest || error.find(text) == error.npos) return;
      longest = text.size();
      place = {at, span};
    };
    if (at.is_scalar()) take(at.text(), at.span());
    // Of a taint in one text the error may tell the effect alone.
    const bool is_effect = at.is_scalar() && at.text().find(':') != std::string_view::npos &&
                           error.find("effect: ") != error.npos;
    if (is_effect) take(effect_in(at.text()), at.span());
    if (at.key()) take(at.key().text(), at.key_span());
  });
  return place;
}

void offer_pool_fix(const Corpus& corpus, Node place, std::string_view error, Finding& finding) {
  if (!place.is_scalar() || place.is_opaque()) return;
  const bool is_of_strings = error.starts_with("decode:") && error.find("string") != error.npos;
  if (is_of_strings) {
    finding.fix(Safety::safe, "quote it", quote(*corpus.sources, place));
  } else if (error.ends_with("must be a list") && place.key()) {
    finding.fix(Safety::safe, "write a list of one",
                rename_to_list(*corpus.sources, place, place.key().text()));
  } else if (error.find("effect") != error.npos || error.find("taint") != error.npos) {
    offer_effect(corpus, place, error, finding);
  }
}

}  // namespace gpulint::rules::refused_node_pool

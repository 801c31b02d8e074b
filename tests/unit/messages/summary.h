#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/messages/parse.h"

namespace gpulint::test {

/// `3 insufficient-resource nvidia.com/gpu`; of a taint `key=value`, behind `@` the pool, behind
/// `:` amounts.
[[nodiscard]] inline std::string summary(const events::Claim& claim) {
  std::string text = claim.count ? std::to_string(*claim.count) + " " : "";
  text += to_string(claim.kind);
  if (!claim.key.empty()) text += " " + claim.key;
  const bool is_pair = claim.kind == events::ClaimKind::untolerated_taint ||
                       claim.kind == events::ClaimKind::node_affinity;
  if (!claim.value.empty()) text += (is_pair ? "=" : ": ") + claim.value;
  if (!claim.pool.empty()) text += " @" + claim.pool;
  return text;
}

/// `kube-scheduler of 5`, and `default/train` where the text names it.
[[nodiscard]] inline std::string summary(const events::Event& event) {
  std::string text(to_string(event.speaker));
  if (event.total) text += " of " + std::to_string(*event.total);
  if (event.subject.name.empty()) return text;
  text += " about ";
  if (!event.subject.name_space.empty()) text += event.subject.name_space + "/";
  return text + event.subject.name;
}

/// One line an event, then one a claim.
[[nodiscard]] inline std::vector<std::string> summarize(std::string_view text) {
  std::vector<std::string> lines;
  for (const events::Event& event : events::parse(text)) {
    lines.push_back(summary(event));
    for (const events::Claim& claim : event.claims) lines.push_back("  " + summary(claim));
  }
  return lines;
}

}  // namespace gpulint::test

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::unknown_flyte_key {

/// The keys of mappings in lower case, each mapping read once however many of its keys are unknown.
class SaidKeys {
 public:
  /// Whether the mapping already says what the key was meant to say.
  [[nodiscard]] bool contain(Node mapping, std::string_view name) {
    const auto [at, is_new] = keys_.try_emplace({mapping.document(), mapping.index()});
    if (is_new) {
      for (const Node::Entry& entry : mapping.fields()) {
        at->second.insert(to_lower(entry.key.text()));
      }
    }
    return at->second.contains(to_lower(name));
  }

 private:
  std::map<std::pair<const Document*, NodeIndex>, std::unordered_set<std::string>> keys_;
};

}  // namespace gpulint::rules::unknown_flyte_key

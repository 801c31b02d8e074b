#include "compiler/generate/label_advice.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/facts/provider_catalog.h"

namespace gpulint::generate {

std::string_view owner_of_label(std::string_view key) {
  constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"GFD", "GPU Feature Discovery"},
       {"NFD", "Node Feature Discovery"},
       {"mig-manager", "MIG Manager"},
       {"operator", "the GPU Operator"},
       {"provider", "the provider"},
       {"cloud provider", "the provider"}});
  const auto labels = labels_with_key(key);
  const auto is_of_user = [](const ProviderLabel* label) {
    return label->set_by.find("user") != std::string_view::npos;
  };
  if (labels.empty() || std::ranges::any_of(labels, is_of_user)) return {};
  const std::string_view owner = labels.front()->set_by;
  const auto name = std::ranges::find(names, owner, [](const auto& pair) { return pair.first; });
  return name == names.end() ? owner : name->second;
}

std::string advise_label(std::string_view nodes, const std::string& key, const std::string& value) {
  const std::string_view owner = owner_of_label(key);
  if (owner.empty()) return fmt::format("label {} `{}={}`", nodes, key, value);
  return fmt::format("`{}` is set by {}", key, owner);
}

}  // namespace gpulint::generate

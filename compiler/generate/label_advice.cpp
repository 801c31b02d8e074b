#include "compiler/generate/label_advice.h"

#include <fmt/format.h>

#include "compiler/model/facts/provider_catalog.h"

namespace gpulint::generate {

std::string_view owner_of_label(std::string_view key) {
  for (const ProviderLabel* label : labels_with_key(key)) {
    if (label->set_by.find("user") != std::string_view::npos) return {};
    if (label->set_by == "GFD") return "GPU Feature Discovery";
    if (label->set_by.find("provider") != std::string_view::npos) return "the provider";
    if (!label->set_by.empty()) return label->set_by;
  }
  return {};
}

std::string advise_label(std::string_view nodes, const std::string& key, const std::string& value) {
  const std::string_view owner = owner_of_label(key);
  if (owner.empty()) return fmt::format("label {} `{}={}`", nodes, key, value);
  return fmt::format("`{}` is set by {}", key, owner);
}

}  // namespace gpulint::generate

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/flyte/loaded_release.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool is_tag_of_version2(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return text.find("flyte-binary-v2") != std::string_view::npos ||
         (text.find("flyteorg/flyte") != std::string_view::npos &&
          colon != std::string_view::npos && text.substr(colon + 1).starts_with("v2"));
}

[[nodiscard]] bool is_tag_of_version1(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (text.find("flyteorg/") == std::string_view::npos || colon == std::string_view::npos) {
    return false;
  }
  return text.substr(colon + 1).starts_with("v1.");
}

constexpr std::array version2_keys{"accelerator-devices", "accelerator-device-classes",
                                   "disable-inject-owner-references", "_U_EP_OVERRIDE"};
constexpr std::array version1_keys{"enable-distributed-error-aggregation", "datacatalog",
                                   "flytepropeller", "flyteadmin"};

[[nodiscard]] bool is_one_of(std::span<const char* const> keys, std::string_view text) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return equal_fold(key, text); });
}

}  // namespace

FlyteVersion detect_version(std::span<const Document* const> documents) {
  bool is_v1 = false;
  for (const Document* document : documents) {
    for (NodeIndex at = 0; at < document->nodes.size(); ++at) {
      const Node node(*document, at);
      if (!node.is_scalar()) continue;
      const std::string_view text = node.text();
      const bool is_key = node.parent().is_mapping() && !node.key();
      if (is_tag_of_version2(text) || (is_key && is_one_of(version2_keys, text))) {
        return FlyteVersion::v2;
      }
      is_v1 = is_v1 || is_tag_of_version1(text) || (is_key && is_one_of(version1_keys, text));
    }
  }
  return is_v1 ? FlyteVersion::v1 : FlyteVersion::unknown;
}

}  // namespace gpulint::flyte

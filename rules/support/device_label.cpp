#include "rules/support/device_label.h"

#include <algorithm>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"

namespace gpulint::rules {
namespace {

constexpr std::string_view gke_label = "cloud.google.com/gke-accelerator";

/// As GPU feature discovery makes a label value of a product name: other characters than letters,
/// digits, `-_.` are dropped, runs of blanks become `-` (k8s-device-plugin 1b826acc,
/// internal/lm/resource.go).
[[nodiscard]] std::string discovery_value(std::string_view gpu_name) {
  std::string value;
  for (const char c : trim(gpu_name)) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.';
    if (kept) value.push_back(c);
    if (c == ' ' && !value.ends_with('-')) value.push_back('-');
  }
  return value;
}

}  // namespace

std::string_view device_label(const Corpus& corpus) {
  const Provider declared = corpus.settings->provider;
  const Provider provider = declared == Provider::unknown ? corpus.cluster.provider : declared;
  return provider == Provider::gke ? gke_label : product_label;
}

std::optional<std::string> device_label_value(std::string_view label, std::string_view gpu_name) {
  std::string value = discovery_value(gpu_name);
  if (label == product_label) return value;
  const std::vector<std::string_view> known = device_values_of_label(label);
  value = "nvidia-" + to_lower(value);
  if (std::ranges::find(known, value) == known.end()) return std::nullopt;
  return value;
}

std::optional<std::string> modern_requirement_text(Node scalar, std::string_view label) {
  if (scalar.key().text() == "key" && scalar.text() == alpha_device_label) {
    return std::string(label);
  }
  const Node values = scalar.parent();
  if (values.key().text() != "values" || values.parent().get("key").text() != alpha_device_label) {
    return std::nullopt;
  }
  return device_label_value(label, scalar.text()).value_or(discovery_value(scalar.text()));
}

}  // namespace gpulint::rules

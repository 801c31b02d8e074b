#include "compiler/model/scope/document_role.h"

#include <algorithm>
#include <array>

#include "compiler/model/device_plugin/device_plugin_config.h"
#include "compiler/model/kinds/flyte_document.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint {
namespace {

[[nodiscard]] bool holds_objects(const Document& document) {
  return std::ranges::any_of(find_objects(root(document)), [](const KubernetesObject& object) {
    return object.kind.is_known() && object.api_version.is_known();
  });
}

[[nodiscard]] bool is_fragment(const Document& document) {
  return std::ranges::any_of(find_objects(root(document)), is_pod_fragment);
}

[[nodiscard]] bool is_terraform_output(const Document& document) {
  return is_terraform(root(document));
}

template <flyte::DocumentKind kind>
[[nodiscard]] bool is_flyte(const Document& document) {
  const Node top = root(document);  // an object that holds values is an object
  return !(top.get("apiVersion") && top.get("kind")) && flyte::recognize(document).kind == kind;
}

[[nodiscard]] bool is_flyte_config_file(const Document& document) {
  return is_flyte<flyte::DocumentKind::config>(document) ||
         flyte::is_mounted_flyte_config(document);
}

struct Recognizer {
  DocumentRole role;
  bool (*is_one)(const Document&);
};

/// All functions that recognise documents; none depends on another.
constexpr std::array<Recognizer, 8> recognizers{
    {{DocumentRole::objects, holds_objects},
     {DocumentRole::fragment, is_fragment},
     {DocumentRole::terraform, is_terraform_output},
     {DocumentRole::device_plugin_config, is_device_plugin_config},
     {DocumentRole::mig_config, is_mig_config},
     {DocumentRole::flyte_core_values, is_flyte<flyte::DocumentKind::core_values>},
     {DocumentRole::flyte_binary_values, is_flyte<flyte::DocumentKind::binary_values>},
     {DocumentRole::flyte_config, is_flyte_config_file}}};

}  // namespace

std::vector<DocumentRole> roles_of(const Document& document) {
  std::vector<DocumentRole> roles;
  if (!document.errors.empty()) return roles;
  for (const Recognizer& each : recognizers) {
    if (each.is_one(document)) roles.push_back(each.role);
  }
  return roles;
}

}  // namespace gpulint

#include "compiler/api_validation/api_schema.h"

#include <algorithm>
#include <array>

namespace gpulint {
namespace {

#include "api_schema.inc"

/// A kind that the tables know.
struct ApiKind {
  std::string_view api_version;
  std::string_view kind;
};

constexpr std::array<ApiKind, 13> kinds{{{"apps/v1", "DaemonSet"},
                                         {"apps/v1", "Deployment"},
                                         {"apps/v1", "ReplicaSet"},
                                         {"apps/v1", "StatefulSet"},
                                         {"batch/v1", "CronJob"},
                                         {"batch/v1", "Job"},
                                         {"node.k8s.io/v1", "RuntimeClass"},
                                         {"v1", "LimitRange"},
                                         {"v1", "Node"},
                                         {"v1", "Pod"},
                                         {"v1", "PodTemplate"},
                                         {"v1", "ReplicationController"},
                                         {"v1", "ResourceQuota"}}};

}  // namespace

const ApiType& api_type(const ApiField& field) { return api_types[field.type]; }

const ApiType* find_api_type(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(api_types, name, {}, &ApiType::name);
  return found != api_types.end() && found->name == name ? found : nullptr;
}

const ApiField* find_api_field(const ApiType& type, std::string_view name) {
  const auto found = std::ranges::lower_bound(type.fields, name, {}, &ApiField::name);
  return found != type.fields.end() && found->name == name ? &*found : nullptr;
}

std::string_view kind_name(const ApiField& field) {
  if (field.container == ApiContainer::list) return "list";
  if (field.container == ApiContainer::map) return "map";
  switch (field.kind) {
    case ApiFieldKind::string:
    case ApiFieldKind::time:
    case ApiFieldKind::bytes:
      return "string";
    case ApiFieldKind::boolean:
      return "boolean";
    case ApiFieldKind::int32:
    case ApiFieldKind::int64:
      return "integer";
    case ApiFieldKind::number:
      return "number";
    case ApiFieldKind::quantity:
      return "quantity";
    case ApiFieldKind::int_or_string:
      return "integer or string";
    case ApiFieldKind::any:
      return "value";
    case ApiFieldKind::structure:
      return "mapping";
  }
  return {};
}

const ApiType* find_object_type(std::string_view api_version, std::string_view kind) {
  const bool is_known = std::ranges::any_of(kinds, [&](const ApiKind& known) {
    return known.api_version == api_version && known.kind == kind;
  });
  return is_known ? find_api_type(kind) : nullptr;
}

}  // namespace gpulint

#include "compiler/api_validation/api_schema.h"

#include <algorithm>
#include <array>

namespace gpulint {
namespace {

struct ApiObject {
  std::string_view api_version;
  std::string_view kind;
};

#include "tables/kubernetes_api.inc"

/// In the order of ApiFieldKind.
constexpr std::array<std::string_view, 11> kind_names{
    "string", "boolean", "integer", "integer", "number", "quantity", "integer or string",
    "string", "string",  "value",   "mapping"};

template <class Rows>
[[nodiscard]] auto find_by_name(const Rows& sorted, std::string_view name) -> decltype(&sorted[0]) {
  const auto found =
      std::ranges::lower_bound(sorted, name, {}, [](const auto& row) { return row.name; });
  return found != std::end(sorted) && found->name == name ? &*found : nullptr;
}

}  // namespace

const ApiType& api_type(const ApiField& field) { return api_types[field.type]; }

const ApiType* find_api_type(std::string_view name) { return find_by_name(api_types, name); }

const ApiField* find_api_field(const ApiType& type, std::string_view name) {
  return find_by_name(type.fields, name);
}

std::string_view kind_name(ApiFieldKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

const ApiType* find_object_type(std::string_view api_version, std::string_view kind) {
  const bool is_known = std::ranges::any_of(api_objects, [&](const ApiObject& known) {
    return known.api_version == api_version && known.kind == kind;
  });
  return is_known ? find_api_type(kind) : nullptr;
}

}  // namespace gpulint

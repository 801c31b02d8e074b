#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gpulint {

// The fields of the Kubernetes API's types, made at build time from facts/kubernetes-api.json.

enum class ApiFieldKind : std::uint8_t {
  string,
  boolean,
  int32,
  int64,
  number,
  quantity,
  int_or_string,
  time,
  bytes,
  any,
  structure
};
enum class ApiContainer : std::uint8_t { single, list, map };

struct ApiField {
  std::string_view name;  ///< As in JSON.
  ApiFieldKind kind = ApiFieldKind::any;
  ApiContainer container = ApiContainer::single;
  std::uint16_t type = 0;  ///< Of structures: index for api_type().
};

struct ApiType {
  std::string_view name;             ///< As in Go: `PodSpec`.
  std::span<const ApiField> fields;  ///< Sorted by name.
};

/// The structure of a field.
[[nodiscard]] const ApiType& api_type(const ApiField& field);
/// Null where there is none of that name.
[[nodiscard]] const ApiType* find_api_type(std::string_view name);
[[nodiscard]] const ApiField* find_api_field(const ApiType& type, std::string_view name);

/// What a field takes, for messages: `integer or string`.
[[nodiscard]] std::string_view kind_name(ApiFieldKind kind);

/// The type of an object; null where apiVersion and kind are not both known.
[[nodiscard]] const ApiType* find_object_type(std::string_view api_version, std::string_view kind);

}  // namespace gpulint

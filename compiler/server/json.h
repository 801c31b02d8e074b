#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "compiler/server/position.h"

namespace gpulint::server {

using Json = nlohmann::json;

// Readers of messages of a client. What is missing or has another type is null, empty or 0.

[[nodiscard]] const Json& get(const Json& object, std::string_view key);
/// The value below several keys.
template <class... Keys>
[[nodiscard]] const Json& get(const Json& object, std::string_view key, Keys... keys) {
  return get(get(object, key), keys...);
}
[[nodiscard]] std::string text_of(const Json& value);
[[nodiscard]] bool is_true(const Json& value);
[[nodiscard]] std::int64_t number_of(const Json& value);
[[nodiscard]] Place place_of(const Json& position);

[[nodiscard]] Json to_json(Place place);

/// Codes of errors in answers.
enum class ErrorCode : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  not_initialized = -32002,
  request_cancelled = -32800,
  content_modified = -32801,
};

// Messages to a client, as text. Bytes that are not UTF-8 become U+FFFD.

[[nodiscard]] std::string answer(const Json& id, Json result);
[[nodiscard]] std::string answer_error(const Json& id, ErrorCode code, std::string_view message);
[[nodiscard]] std::string notification(std::string_view method, Json params);
[[nodiscard]] std::string request(std::string_view id, std::string_view method, Json params);
[[nodiscard]] std::string dump(const Json& value);

}  // namespace gpulint::server
